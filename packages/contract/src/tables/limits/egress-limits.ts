/** Bounds of the way out: calls of tools, the names they look up, and what comes back. */
export const EGRESS_LIMITS = {
  timeoutMs: 15_000,
  responseBytesMax: 5_242_880,
  /** An answer of more bytes or values than this is read in a thread of its own. */
  smallAnswerBytesMax: 65_536,
  smallAnswerValuesMax: 4_096,
  /**
   * Beyond these a small answer is told in a thread of its own: characters of all secrets times those of the answer, times each text in it, and times
   * what was sent, and characters of an answer beside a secret that holds quotes or backslashes. Within them hiding takes some ten milliseconds at most.
   */
  hiddenAtOnceProductMax: 33_554_432,
  hiddenAtOnceTextsMax: 2_048,
  sentAtOnceCharsMax: 262_144,
  quotedHiddenAtOnceCharsMax: 16_384,
  /** JSON of more values than this is not built: it is told as the text it is. */
  answerValuesMax: 200_000,
  /** What a large answer may become as JSON text. */
  toldBytesMax: 10_485_760,
  /** Large answers read or told at the same time. */
  largeAnswersMax: 4,
  largeAnswersPerOrganizationMax: 2,
  largeAnswerMs: 5_000,
  /** Of the thread that reads large answers. */
  largeAnswerHeapBytesMax: 134_217_728,
  /** Until an agent has taken what it was told. */
  largeAnswerTakenWithinMs: 30_000,
  /** Calls under way at the same time, from the connection to the end of the answer. */
  callsMax: 512,
  /** Connections that are kept open for later calls of whoever asked for it: how long unused, how long in all, how many, and to how many places. */
  keptIdleMs: 4_000,
  keptLifeMs: 60_000,
  keptConnectionsMax: 512,
  keptConnectionsPerOrganizationMax: 128,
  keptPlacesMax: 1_024,
  /** As long unused where a call that met a closed connection may not be made again, as those of tools. */
  callKeptIdleMs: 1_000,
  /** For so long none is kept to a place that closed one under a request, after it had waited for that at least so long. */
  avoidedMs: 600_000,
  closedUnusedMs: 100,
  callsPerOrganizationMax: 192,
  /** Of one organization, to one host and port. */
  callsPerHostMax: 128,
  callsWaitingMax: 4_096,
  callsWaitingPerOrganizationMax: 512,
  /** At most, and no more than half of what the whole call may take. */
  callWaitMsMax: 5_000,
  /** A call that is not on its way by then asks once more whether it may go. */
  askAgainAfterMs: 100,
  /** Bodies of calls that wait or are under way. */
  bodyBytesUnderWayMax: 33_554_432,
  bodyBytesUnderWayPerOrganizationMax: 16_777_216,
  interimAnswersMax: 16,
  /** Names looked up at the same time. */
  lookupsMax: 128,
  lookupsPerOrganizationMax: 16,
  lookupsWaitingMax: 2_048,
  lookupsWaitingPerOrganizationMax: 256,
  lookupMs: 4_000,
  /** That a destination cannot be reached is answered on a beat, so that the time does not tell why. */
  unreachableBeatMs: 100,
} as const;

export const CREDENTIAL_LIMITS = {
  credentials: {
    /** Of one organization, revoked ones not counted. */
    perOrganizationMax: 1_000,
    destinationsMax: 50,
    toolsMax: 100,
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

/** Bounds of what a tool may say of its calls. */
export const EXECUTION_LIMITS = {
  execution: {
    /** Of one action, the first try included. */
    triesMax: 5,
    backoffMs: 200,
    backoffMsMin: 10,
    backoffMsMax: 5_000,
    tryMsMin: 50,
    statusesMax: 20,
    contentTypesMax: 10,
    keptPartsMax: 50,
    conditionsMax: 8,
    graphqlQueryCharsMax: 32_768,
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
