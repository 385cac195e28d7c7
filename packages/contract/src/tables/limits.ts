import { AGENT_LIMITS } from './limits/agent-limits.ts';
import { APPROVAL_LIMITS } from './limits/approval-limits.ts';
import { AUDIT_LIMITS } from './limits/audit-limits.ts';
import { CONNECTION_LIMITS } from './limits/connection-limits.ts';
import { CREDENTIAL_LIMITS, OAUTH_LIMITS } from './limits/credential-limits.ts';
import { EGRESS_LIMITS } from './limits/egress-limits.ts';
import { EXECUTION_LIMITS } from './limits/execution-limits.ts';
import { MAIL_LIMITS } from './limits/mail-limits.ts';
import { NOTIFICATION_LIMITS } from './limits/notification-limits.ts';
import { PEOPLE_LIMITS } from './limits/people-limits.ts';
import { RECORDING_LIMITS } from './limits/recording-limits.ts';
import { STREAM_LIMITS } from './limits/stream-limits.ts';
import { TENANCY_LIMITS } from './limits/tenancy-limits.ts';
import { TOOL_IMPORT_LIMITS } from './limits/tool-import-limits.ts';
import { TOOL_LIMITS } from './limits/tool-limits.ts';
import { WEBHOOK_LIMITS } from './limits/webhook-limits.ts';
import { SETTINGS_PREFIX } from './wire-name.ts';

/** Every bound of the service. A name ends in its unit; where it ends in `Max` or `Min` the unit is a count. */
export const LIMITS = {
  sessions: {
    lifetimeSeconds: 43_200,
    idleTimeoutSeconds: 3_600,
    stepUpLifetimeSeconds: 300,
    loginAttemptsMax: 10,
    lockoutSeconds: 900,
  },
  codes: {
    digitCount: 6,
    lifetimeSeconds: 600,
    attemptsMax: 5,
    recoveryCodeCount: 10,
  },
  ...APPROVAL_LIMITS,
  ...AGENT_LIMITS,
  ...AUDIT_LIMITS,
  ...EXECUTION_LIMITS,
  ...OAUTH_LIMITS,
  ...PEOPLE_LIMITS,
  ...MAIL_LIMITS,
  ...WEBHOOK_LIMITS,
  ...NOTIFICATION_LIMITS,
  ...CREDENTIAL_LIMITS,
  ...TENANCY_LIMITS,
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
  platformKey: {
    cacheSeconds: 300,
  },
  policies: {
    conditionDepthMax: 8,
    rulesPerVersionMax: 200,
    conditionsPerVersionMax: 500,
    testCasesPerPreviewMin: 1,
    testCasesPerPreviewMax: 50,
    bindingsPerPolicyMax: 100,
    invariantsMax: 100,
    /** In force in one organization: policies, rules (once for each place they are bound to) and bytes of their versions as JSON. */
    policiesInForceMax: 500,
    rulesInForceMax: 10_000,
    bytesInForceMax: 4_194_304,
    diffReplayDays: 7,
    diffReplayDaysMax: 90,
    diffReplayActionsMax: 10_000,
  },
  ...TOOL_LIMITS,
  toolImports: TOOL_IMPORT_LIMITS,
  exchangeRates: {
    /** Rates of an organization that wait for their time. */
    upcomingMax: 1_000,
    /** Of what the provider answers. */
    answerBytesMax: 262_144,
    refreshSeconds: 3_600,
  },
  delegations: {
    /** Delegations below a root, one below the other. */
    depthMax: 15,
    listedMax: 200,
    /** In force at the same time, from one agent to one other. */
    perPairMax: 100,
    /** Actions that are looked at, and delegations below, to count what was used before a ceiling began to count. */
    pastUsesMax: 20_000,
    graphEdgesDefaultCount: 500,
    graphEdgesMax: 1_000,
  },
  snapshots: {
    /** What a process keeps of loaded environments, of loaded agents and of versions' rules, about. */
    environmentBytesMax: 134_217_728,
    agentBytesMax: 67_108_864,
    versionBytesMax: 67_108_864,
    /** How long, and of how many, a process remembers that what it loaded is not fit to decide on. */
    unfitKeptMs: 5_000,
    unfitKeptMax: 10_000,
  },
  recording: RECORDING_LIMITS,
  outcomes: {
    /** Of a database that does not answer, each as long as its timeout, until an outcome is given up; within these bounds. */
    recordAttemptsCount: 12,
    recordWithinMsMin: 5_000,
    recordWithinMsMax: 120_000,
    /** Between attempts: at first, and at most. */
    retryMs: 25,
    retryMsMax: 1_000,
    /** Decisions at the same time whose record broke off, and that are looked for to be closed. */
    unsureMax: 1_024,
    /** Beyond what an execution may take, until it counts as left behind. */
    marginMs: 5_000,
    /** Until an action that its agent executes itself is closed, when the agent reports nothing. */
    reportWithinSeconds: 86_400,
    reportWithinSecondsMin: 300,
    reportWithinSecondsMax: 31_536_000,
  },
  database: {
    /** Connections that only emergencies and readiness use. */
    emergencyConnectionsMax: 4,
    /** Of an organization, for a connection of its share. */
    waitingPerOrganizationMax: 1_000,
    /** The same for searches, which have a part of the share. */
    waitingSearchesPerOrganizationMax: 20,
    /** A statement of a search that takes longer is ended. */
    searchStatementMs: 1_000,
    /** A page looks through rows for so long, and so many, and answers what it has found until then. */
    searchPageMs: 150,
    searchPageRowsMax: 100_000,
  },
  idempotency: {
    retentionSeconds: 86_400,
    concurrentWaitMs: 10_000,
  },
  pages: {
    defaultCount: 50,
    countMax: 200,
    offsetMax: 1_000_000,
    /** Of rows that may be large: the one that reaches it is the last of a page. */
    bytesMax: 4_194_304,
    /** Rows of a list are counted up to here, and one more says that there are more. */
    countedMax: 10_000,
  },
  bodies: {
    requestBytesMax: 262_144,
    /** Where no credential is asked for. */
    unprovenBytesMax: 16_384,
    parametersBytesMax: 65_536,
    /** Told of a body or query that is not valid; validation ends there. */
    faultsMax: 20,
  },
  connections: CONNECTION_LIMITS,
  /**
   * Requests of one address that no route takes: at once, and after that within a second, or as much more as an address may ask in a minute
   * over `rates.addressPerMinute`; and of how many addresses that is known.
   */
  unrouted: { atOnceMax: 300, perSecondMax: 10, addressesMax: 10_000 },
  streams: STREAM_LIMITS,
  admission: {
    /** Decisions under way in one process, all organizations together. */
    decidingMax: 128,
    /** Requests that wait for their turn: of one organization, and in all. */
    waitingPerOrganizationMax: 1_024,
    waitingMax: 4_096,
    /** How long a request may wait for its turn. */
    waitMs: 1_000,
    /** Until a request beyond a budget or a share is told so: whoever asks again at once asks only so often. */
    excessPauseMs: 250,
    /** Calls to downstreams under way in one process, all organizations together. */
    callingMax: 1_024,
  },
  clock: {
    /** How far the clock of a process and the database's may be apart. */
    skewMaxSeconds: 5,
    /** How often a process asks the database for its time. */
    measureEveryMs: 2_000,
    /** For so long it goes on by what it was told. */
    unknownAfterMs: 60_000,
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
  assertionChecks: {
    parallelMax: 1,
    waitingMax: 512,
  },
  rates: {
    loginPerMinute: 10,
    controlPlanePerMinute: 600,
    gatewayTokenPerMinute: 60,
    gatewayActionsPerMinute: 6_000,
    /** Requests without a credential, from one address. */
    addressPerMinute: 6_000,
    organizationPerMinute: 1_800,
    organizationActionsPerMinute: 30_000,
  },
  egress: EGRESS_LIMITS,
  restarts: {
    /** So many deaths of one plane within the time, and it is not started again. */
    deathsMax: 5,
    deathsWithinMs: 60_000,
    /** Before the first restart; twice as long before each further one. */
    backoffMs: 200,
    backoffMsMax: 5_000,
  },
  sandbox: {
    requestsKeptMax: 100,
    /** Of the bodies kept. */
    keptBytesMax: 4_194_304,
  },
  logs: {
    /** Of one file; a full one is moved aside. */
    fileBytesMax: 67_108_864,
    /** Files of one plane, the one that is written included. */
    filesMax: 4,
    /** Lines of one process that are no JSON, such as those of an engine that breaks, and how long each may be. */
    strayLinesMax: 2_000,
    strayCharactersMax: 4_096,
  },
  log: {
    /** Lines of one address within a minute about requests that were refused before anybody was recognised, or for being too many. */
    refusalLinesPerMinute: 120,
  },
  /** How long anybody may keep the pages and documents that are the same for everybody. */
  documents: { cacheSeconds: 300 },
  health: {
    /** How long one part may take to answer when readiness is asked. */
    checkMs: 2_000,
    /** What it came to is told to everybody who asks meanwhile. */
    keptMs: 1_000,
    /** Questions of one address for it, which are counted for nothing else: ten a second. */
    addressPerMinute: 600,
  },
  shutdown: {
    drainMs: 10_000,
    /** For requests that are not whole and answers that lie unread, once nothing else is under way. */
    unfinishedMs: 1_500,
  },
} as const;

/** Names of the environment settings that change a default above or switch a behaviour. */
export const SETTINGS = {
  sessionLifetimeSeconds: 'SESSION_TTL_SECONDS',
  sessionIdleTimeoutSeconds: 'SESSION_IDLE_TIMEOUT_SECONDS',
  stepUpLifetimeSeconds: 'STEP_UP_TTL_SECONDS',
  loginAttemptsMax: 'MAX_LOGIN_ATTEMPTS',
  lockoutSeconds: 'LOGIN_LOCKOUT_SECONDS',
  agentTokenLifetimeSeconds: 'AGENT_TOKEN_TTL_SECONDS',
  assertionWindowSeconds: 'ASSERTION_WINDOW_SECONDS',
  realEgress: 'GATEWAY_ALLOW_REAL_EGRESS',
  egressAllowedCidrs: `${SETTINGS_PREFIX}EGRESS_ALLOW_CIDRS`,
  egressNameServers: `${SETTINGS_PREFIX}EGRESS_NAME_SERVERS`,
  exchangeRateProviderUrl: `${SETTINGS_PREFIX}FX_PROVIDER_URL`,
  reportWithinSeconds: `${SETTINGS_PREFIX}REPORT_WITHIN_SECONDS`,
  exchangeRateRefreshSeconds: `${SETTINGS_PREFIX}FX_REFRESH_SECONDS`,
  clockSkewMaxSeconds: `${SETTINGS_PREFIX}CLOCK_SKEW_MAX_SECONDS`,
  masterKey: `${SETTINGS_PREFIX}MASTER_KEY`,
  redisUrl: 'REDIS_URL',
  databaseUrl: 'DATABASE_URL',
  smtpUrl: 'SMTP_URL',
  host: 'HOST',
  controlPlanePort: 'CONTROL_PLANE_PORT',
  gatewayPort: 'GATEWAY_PORT',
  gatewayMetrics: `${SETTINGS_PREFIX}GATEWAY_METRICS`,
  signup: `${SETTINGS_PREFIX}SIGNUP`,
  dataFolder: 'DATA_DIR',
} as const satisfies Record<string, string>;

export type Setting = keyof typeof SETTINGS;
