export const CREDENTIAL_LIMITS = {
  credentials: {
    /** Credentials of one organization, without revoked ones. */
    perOrganizationMax: 1_000,
    /** Newest events of an organization that are searched for the last use of its credentials. */
    usesLookBackEventsMax: 2_000,
    destinationsMax: 50,
    toolsMax: 100,
    serversMax: 20,
    /** Secrets of a credential in addition to the first. */
    extrasMax: 4,
    /** Minimum length of a secret: a shorter one appears in responses by chance, and could not be distinguished. */
    secretCharsMin: 8,
    /** Maximum length of a secret: each response is searched for it. */
    secretCharsMax: 4_096,
    overlapSecondsMax: 86_400,
    /** Organizations whose data key a gateway caches. */
    dataKeysKeptMax: 10_000,
    /** Test calls per minute, of one credential and of one organization. */
    testsPerMinuteMax: 10,
    testsPerOrganizationPerMinuteMax: 60,
    /** Concurrent test calls of a process; one per organization. */
    testsUnderWayMax: 32,
    /** Time that a test call waits in the queue. */
    testWaitMs: 4_000,
    /** Timeout of a test call, from the request of an access token to the end of the response. */
    testMs: 8_000,
    testUrlCharsMax: 2_000,
    testAnswerBytesMax: 65_536,
    testExcerptCharsMax: 2_000,
  },
} as const;

/** Limits of credentials with access tokens from an authorization server. */
export const OAUTH_LIMITS = {
  oauth: {
    scopeCharsMax: 2_000,
    addressCharsMax: 1_000,
    tokenCharsMax: 16_384,
    privateKeyCharsMax: 8_192,
    /** Bytes of a token endpoint's response, and its timeout. */
    responseBytesMax: 131_072,
    requestMs: 5_000,
    /** Lease of a refresh; within it the token endpoint is called, and once more if the result is unknown. */
    leaseMs: 20_000,
    attemptsMax: 2,
    /** Minimum interval between refreshes of one credential. */
    spacingMs: 5_000,
    /** Age of the last refresh from which a refused token is replaced: a newer one would be refused too. */
    refusedAfterMs: 30_000,
    /** Refreshes of one organization per minute. */
    perMinuteMax: 300,
    /** Consecutive failures after which people are notified. */
    failuresToldMin: 3,
    backoffMsMax: 300_000,
    /** Time that a call waits for an access token. */
    waitMs: 7_500,
    /** Poll interval for a refresh by another process. */
    pollMs: 100,
    /** Poll interval while a limit delays the refresh. */
    boundedPollMs: 1_000,
    /** Tolerated difference between the clocks of planes; a time further ahead was written by a wrong clock. */
    clocksDifferMs: 60_000,
    /** Time before expiry at which a token in use is replaced. */
    aheadMs: 60_000,
    /** Assumed lifetime of a token if its server states none. */
    otherwiseSeconds: 3_600,
    lifetimeSecondsMax: 31_536_000,
    /** Interval at which an unused refresh token is used, so that it does not expire for lack of use. */
    idleMs: 86_400_000,
    /** Credentials whose access token a gateway caches. */
    tokensKeptMax: 10_000,
    /** Time from the start of a connection in the browser to its return. */
    attemptSeconds: 600,
    /** Pending attempts of one person. */
    attemptsPendingMax: 20,
  },
} as const;
