/** Bounds on how agents prove who they are. */
export const IDENTITY_LIMITS = {
  assertions: {
    /** How far `iat` may lie from the server's clock, either way. */
    windowSeconds: 120,
    windowSecondsMax: 3_600,
    /** Far beyond what the clocks of machines that share a database differ by. */
    clockDifferenceSeconds: 3_600,
    /** From `iat` to `exp`. */
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
