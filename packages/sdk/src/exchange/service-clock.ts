/** Estimated time of the service: the local clock until the service has stated a difference. */
export type ServiceClock = {
  readonly nowMs: () => number;
  /** Adopts the service's time, ISO-8601; false if it stated none. */
  readonly correct: (serverTime: unknown) => boolean;
};

export const newServiceClock = (localMs: () => number): ServiceClock => {
  let offsetMs = 0;
  return {
    nowMs: () => localMs() + offsetMs,
    correct: (serverTime) => {
      const toldMs = typeof serverTime === 'string' ? Date.parse(serverTime) : Number.NaN;
      if (Number.isNaN(toldMs)) return false;
      offsetMs = toldMs - localMs();
      return true;
    },
  };
};
