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
  apiKeys: {
    defaultExpiryDays: 365,
    expiryDaysMax: 730,
  },
  assertions: {
    /** How far `iat` may lie from the server's clock, either way. */
    windowSeconds: 120,
    /** From `iat` to `exp`. */
    lifetimeSecondsMax: 300,
    nonceBitsMin: 128,
  },
  agentTokens: {
    lifetimeSeconds: 900,
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
  tools: {
    /** Of one pattern in a schema: characters, instructions, and units of work (about a microsecond each) to prepare it. */
    patternLengthMax: 1_000,
    patternStepsMax: 2_500,
    patternWorkMax: 3_500,
    /** Units of work to prepare all patterns of a schema. */
    patternWorksMax: 8_000,
    /** What a process keeps of compiled schemas, about. */
    schemaBytesMax: 67_108_864,
  },
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
    graphEdgesDefaultCount: 500,
    graphEdgesMax: 1_000,
  },
  snapshots: {
    /** What a process keeps of loaded environments, of loaded agents and of versions' rules, about. */
    environmentBytesMax: 134_217_728,
    agentBytesMax: 67_108_864,
    versionBytesMax: 67_108_864,
  },
  recording: {
    batchRowsMax: 256,
    batchesInFlightMax: 2,
  },
  idempotency: {
    retentionSeconds: 86_400,
    concurrentWaitMs: 10_000,
  },
  pages: {
    defaultCount: 50,
    countMax: 200,
  },
  bodies: {
    requestBytesMax: 262_144,
    parametersBytesMax: 65_536,
  },
  rates: {
    loginPerMinute: 10,
    controlPlanePerMinute: 600,
    gatewayTokenPerMinute: 60,
    gatewayActionsPerMinute: 6_000,
  },
  webhooks: {
    replayWindowSeconds: 300,
    deliveryTimeoutMs: 10_000,
    /** Wait before each attempt, the first included; each is jittered. */
    retryDelaysSeconds: [0, 10, 60, 300, 1_800, 7_200, 21_600, 86_400],
    disableAfterFailingSeconds: 432_000,
    previousSecretSeconds: 86_400,
  },
  egress: {
    timeoutMs: 15_000,
    responseBytesMax: 5_242_880,
  },
  shutdown: {
    drainMs: 10_000,
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
  exchangeRateProviderUrl: `${SETTINGS_PREFIX}FX_PROVIDER_URL`,
  exchangeRateRefreshSeconds: `${SETTINGS_PREFIX}FX_REFRESH_SECONDS`,
  masterKey: `${SETTINGS_PREFIX}MASTER_KEY`,
  redisUrl: 'REDIS_URL',
  databaseUrl: 'DATABASE_URL',
  smtpUrl: 'SMTP_URL',
  host: 'HOST',
  controlPlanePort: 'CONTROL_PLANE_PORT',
  gatewayPort: 'GATEWAY_PORT',
  dataFolder: 'DATA_DIR',
} as const satisfies Record<string, string>;

export type Setting = keyof typeof SETTINGS;
