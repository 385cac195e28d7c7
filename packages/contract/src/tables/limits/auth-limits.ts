/** Bounds on how people sign in, and of what proves who they are. */
export const AUTH_LIMITS = {
  sessions: {
    lifetimeSeconds: 43_200,
    idleTimeoutSeconds: 3_600,
    stepUpLifetimeSeconds: 300,
    loginAttemptsMax: 10,
    lockoutSeconds: 900,
  },
  addressGuesses: {
    /** Wrong guesses of one address until its lockout, for each that an account has. */
    perAccountGuessCount: 10,
    /** Delay of an answer to an address with more wrong guesses than one account has: doubles with every so many more, up to a maximum. */
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
    /** Characters of a new one that is the only proof of who somebody is, and of one beside a second factor. */
    charsMin: 15,
    charsBesideFactorMin: 8,
    charsMax: 256,
    /** Hashed at once for people who have not signed in yet. */
    unprovenParallelMax: 1,
    unprovenWaitingMax: 100,
    /** Rests after each, each as long as it took, so that strangers have a share of a core and never all of it. */
    unprovenRestsCount: 1,
    /** Hashed at once for people who have a session. */
    provenParallelMax: 1,
    provenWaitingMax: 100,
    /** Of a new one, so many first characters are judged, and words of what is known of its owner. */
    judgedCharsMax: 32,
    contextWordsMax: 24,
    /** Guesses that a new one has to withstand, as they are estimated; fewer beside a second factor. */
    guessesMin: 10_000_000_000,
    guessesBesideFactorMin: 10_000_000,
  },
} as const;
