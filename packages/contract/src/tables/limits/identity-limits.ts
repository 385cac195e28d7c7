/** Limits of agent authentication. */
export const IDENTITY_LIMITS = {
  assertions: {
    /** Tolerance of `iat` against the server's clock, in both directions. */
    windowSeconds: 120,
    windowSecondsMax: 3_600,
    /** Far more than the difference between clocks of machines that share a database. */
    clockDifferenceSeconds: 3_600,
    /** Maximum time from `iat` to `exp`. */
    lifetimeSecondsMax: 300,
    nonceBitsMin: 128,
  },
  assertionChecks: {
    parallelMax: 1,
    waitingMax: 512,
  },
  platformKey: {
    cacheSeconds: 300,
  },
} as const;
