/** A timer for the first throttled holder; off while any holder may run. */
export const newRest = (then: () => void) => {
  let timer: NodeJS.Timeout | undefined;
  return {
    isOn: (): boolean => timer !== undefined,
    /** `at` on the clock of `performance.now()`, in milliseconds. */
    until: (at: number): void => {
      timer = setTimeout(then, Math.max(1, at - performance.now()));
    },
    end: (): void => {
      clearTimeout(timer);
      timer = undefined;
    },
  };
};
