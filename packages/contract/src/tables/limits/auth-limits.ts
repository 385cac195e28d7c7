/** Limits of sign-ins and proofs. */
export const AUTH_LIMITS = {
  sessions: {
    lifetimeSeconds: 43_200,
    idleTimeoutSeconds: 3_600,
    stepUpLifetimeSeconds: 300,
    loginAttemptsMax: 10,
    lockoutSeconds: 900,
  },
  addressGuesses: {
    /** Wrong guesses of one address until its lockout, per guess that an account has. */
    perAccountGuessCount: 10,
    /** Delay of a response to an address with more wrong guesses than one account has: doubles with every so many more, up to a maximum. */
    delayMs: 250,
    delayDoublesEveryCount: 15,
    delayMsMax: 5_000,
  },
  codes: {
    digitCount: 6,
    lifetimeSeconds: 600,
    attemptsMax: 5,
    recoveryCodeCount: 10,
  },
  passwords: {
    /** Minimum characters of a new password as the only proof, and with a second factor. */
    charsMin: 15,
    charsBesideFactorMin: 8,
    charsMax: 256,
    /** Passwords of unauthenticated clients that are hashed concurrently. */
    unprovenParallelMax: 1,
    unprovenWaitingMax: 100,
    /** Throttle: rests after each for this multiple of its time, so that unauthenticated clients never use a whole core. */
    unprovenRestsCount: 1,
    /** Passwords of signed-in people that are hashed concurrently. */
    provenParallelMax: 1,
    provenWaitingMax: 100,
    /** Leading characters of a new password that are evaluated, and known words about its owner. */
    judgedCharsMax: 32,
    contextWordsMax: 24,
    /** Estimated guesses that a new password must withstand; fewer with a second factor. */
    guessesMin: 10_000_000_000,
    guessesBesideFactorMin: 10_000_000,
  },
} as const;
