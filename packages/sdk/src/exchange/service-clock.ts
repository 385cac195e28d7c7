/** The time of the service as far as it is known: the local clock until the service has said that it differs. */
export type ServiceClock = {
  readonly nowMs: () => number;
  /** Takes over the time that the service told, ISO-8601; false when it told none. */
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
