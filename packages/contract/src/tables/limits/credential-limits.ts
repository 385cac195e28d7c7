export const CREDENTIAL_LIMITS = {
  credentials: {
    /** Of one organization, revoked ones not counted. */
    perOrganizationMax: 1_000,
    /** Newest events of an organization that are looked through for the last use of its credentials. */
    usesLookBackEventsMax: 2_000,
    destinationsMax: 50,
    toolsMax: 100,
    serversMax: 20,
    /** Secrets of a credential besides the first. */
    extrasMax: 4,
    /** A shorter one stands in answers by chance, and could not be told from them. */
    secretCharsMin: 8,
    /** Each answer is looked through for it. */
    secretCharsMax: 4_096,
    overlapSecondsMax: 86_400,
    /** Organizations whose data key a gateway remembers. */
    dataKeysKeptMax: 10_000,
    /** Test calls that begin within a minute, of one credential and of one organization. */
    testsPerMinuteMax: 10,
    testsPerOrganizationPerMinuteMax: 60,
    /** Under way at the same time in one process; of one organization it is one. */
    testsUnderWayMax: 32,
    /** Until a test call has its turn. */
    testWaitMs: 4_000,
    /** From the first look for an access token to the end of the answer. */
    testMs: 8_000,
    testUrlCharsMax: 2_000,
    testAnswerBytesMax: 65_536,
    testExcerptCharsMax: 2_000,
  },
} as const;

/** Bounds of credentials whose access tokens an authorization server gives out. */
export const OAUTH_LIMITS = {
  oauth: {
    scopeCharsMax: 2_000,
    addressCharsMax: 1_000,
    tokenCharsMax: 16_384,
    privateKeyCharsMax: 8_192,
    /** Of an answer of a token endpoint, and for how long it is waited for. */
    answerBytesMax: 131_072,
    requestMs: 5_000,
    /** Whoever takes a refresh has it for so long; it asks the token endpoint within that, and once more where it cannot know what became of it. */
    leaseMs: 20_000,
    attemptsMax: 2,
    /** Between two refreshes of one credential. */
    spacingMs: 5_000,
    /** A token that a service refuses is replaced when the last refresh is so long ago: a fresher one would be refused too. */
    refusedAfterMs: 30_000,
    /** Refreshes of one organization that begin within a minute. */
    perMinuteMax: 300,
    /** After so many failures in a row people are told. */
    failuresToldMin: 3,
    backoffMsMax: 300_000,
    /** How long a call waits for an access token. */
    waitMs: 7_500,
    /** Between two looks at a refresh that somebody else makes. */
    pollMs: 100,
    /** The same where the organization has begun as many as it may, or the last refresh is too short a time ago. */
    boundedPollMs: 1_000,
    /** By how much a time may be further ahead than it can be, since the clocks of planes differ; what is more is of a clock that was wrong. */
    clocksDifferMs: 60_000,
    /** So long before its end a token that is in use is replaced. */
    aheadMs: 60_000,
    /** Of a token whose server does not say how long it lasts. */
    otherwiseSeconds: 3_600,
    lifetimeSecondsMax: 31_536_000,
    /** A refresh token that nobody needed is used after so long all the same, so that it does not end for that. */
    idleMs: 86_400_000,
    /** Credentials whose access token a gateway remembers. */
    tokensKeptMax: 10_000,
    /** From the start of a connection in the browser to its return. */
    attemptSeconds: 600,
    /** Of one person, that have not come back. */
    attemptsPendingMax: 20,
  },
} as const;
