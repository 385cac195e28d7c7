import { LIMITS } from './limits.ts';
import type { Setting } from './setting-kinds.ts';
import { TRACING_LIMITS } from './watching.ts';

const PLANES = ['control-plane', 'gateway'] as const;
const PROGRAMS = ['control-plane', 'gateway', 'worker'] as const;
const PLANES_AND_START = ['control-plane', 'gateway', 'launcher'] as const;
const ALL = ['control-plane', 'gateway', 'worker', 'launcher'] as const;
const START = ['launcher'] as const;
const CONTROL = ['control-plane'] as const;
const CONTROL_WORKER_AND_START = ['control-plane', 'worker', 'launcher'] as const;
const GATEWAY = ['gateway'] as const;
const WORKER = ['worker'] as const;
const CONTROL_AND_WORKER = ['control-plane', 'worker'] as const;
const GATEWAY_AND_START = ['gateway', 'launcher'] as const;

/** `invited`: nobody founds an organization, and people join one by invitation. */
const SIGNUPS = ['closed', 'invited', 'open'] as const;

/** `outbox`: kept here, to be read on this machine alone. */
const MAILS = ['smtp', 'outbox', 'none'] as const;

/** `jobs` run on timers; `feed` follows the audit events. */
const WORKER_PARTS = ['all', 'jobs', 'feed'] as const;

/** From telling everything to telling nothing. */
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Every setting, in the order in which they are told. The readers of all programs, the operator's guide and `npm run ops -- config` go by it. */
export const SETTING_TABLE = {
  CONTROL_PLANE_PORT: {
    kind: 'integer',
    otherwise: 4_000,
    from: 0,
    to: 65_535,
    programs: CONTROL_WORKER_AND_START,
    says: 'Port of the control plane; 0 selects a free port.',
  },
  GATEWAY_PORT: { kind: 'integer', otherwise: 4_100, from: 0, to: 65_535, programs: GATEWAY_AND_START, says: 'Port of the gateway.' },
  HOST: {
    kind: 'text',
    form: 'any',
    otherwise: '127.0.0.1',
    programs: ALL,
    says: 'Listen address of both planes. `0.0.0.0` makes them reachable from other machines, which requires `SMTP_URL` or `SVC_MAIL=none`.',
  },
  DATA_DIR: {
    kind: 'text',
    form: 'folder',
    otherwise: '.data',
    programs: START,
    says: 'Folder for the embedded database, the master key and the logs. A relative path is relative to the project.',
  },
  DATABASE_URL: {
    kind: 'text',
    form: 'database',
    programs: ALL,
    says: 'URL of your own PostgreSQL, instead of the embedded one, with the user that owns the database: `postgres://user:password@host:5432/database`.',
    secret: true,
  },
  REDIS_URL: {
    kind: 'text',
    form: 'redis',
    programs: PLANES_AND_START,
    says: 'Redis for shared rate limits, `redis://host:6379`; append `/1` and so on to select another database. Required with several gateways.',
    secret: true,
  },
  SVC_MASTER_KEY: {
    kind: 'text',
    form: 'master key',
    programs: ALL,
    says: 'Base64 of 32 random bytes. If not set, a key is generated in `master.key` in the data folder.',
    secret: true,
  },
  SVC_MASTER_KEY_FILE: {
    kind: 'text',
    form: 'any',
    programs: ALL,
    says: 'File that contains the master key instead, readable only by its owner (0600). [The master key](#the-master-key)',
  },
  SVC_MASTER_KEY_COMMAND: {
    kind: 'text',
    form: 'command',
    programs: ALL,
    says: 'Program that wraps and unwraps the key of the installation instead, so that a key management service holds the master key: `["/usr/local/bin/kms-wrap", "alias/governance"]`, or words separated by spaces.',
  },
  SVC_BASE_URL: {
    kind: 'text',
    form: 'public address',
    programs: PROGRAMS,
    says: 'Public address of the control plane, if it runs behind a proxy; http or https, without query. Gateways use it, if set, to link to the pages, and the worker in mails.',
  },
  SVC_GATEWAY_URL: {
    kind: 'text',
    form: 'public address',
    programs: PROGRAMS,
    says: 'Public address of the gateway; http or https, without query. Agents sign for exactly this string, without a trailing slash.',
  },
  SVC_TRUST_PROXY: {
    kind: 'flag',
    otherwise: false,
    programs: PLANES,
    says: "Take the caller's address from the last entry of `X-Forwarded-For`. Only behind a proxy that writes it.",
  },
  GATEWAY_ALLOW_REAL_EGRESS: {
    kind: 'flag',
    otherwise: false,
    programs: PROGRAMS,
    says: 'Allows outgoing calls: HTTP tools, credential tests, token endpoints and webhooks. The sandbox receiver is always allowed.',
  },
  SVC_EGRESS_ALLOW_CIDRS: {
    kind: 'list',
    of: 'networks',
    programs: PROGRAMS,
    says: 'Private networks that tools, single sign-on providers and webhook receivers may be in: `10.1.0.0/16,192.168.7.4/32`.',
  },
  SVC_NOTIFICATION_HOSTS: {
    kind: 'list',
    of: 'hosts',
    programs: CONTROL_AND_WORKER,
    says: 'Additional hosts for notification channels, other than `hooks.slack.com`, with a port if it is not 443: `chat.example.com,mattermost.internal:8065`. [Notifications](../guides/notifications.md#chat-channels)',
  },
  SVC_CREDENTIALS_OVER_HTTP: {
    kind: 'flag',
    otherwise: false,
    programs: PROGRAMS,
    says: 'Allows stored credentials, and the secrets of token requests, without TLS to private networks and this machine. To public addresses they always require TLS.',
  },
  SVC_EGRESS_TIMEOUT_MS: {
    kind: 'integer',
    otherwise: LIMITS.egress.timeoutMs,
    from: 100,
    to: 120_000,
    programs: PROGRAMS,
    says: 'Timeout for the response of a tool or of the exchange rate provider.',
  },
  SVC_EGRESS_NAME_SERVERS: {
    kind: 'list',
    of: 'name servers',
    programs: PROGRAMS,
    says: 'Name servers to use instead of those of the system: `10.0.0.2,[fd00::2]:53`. The hosts file takes precedence.',
  },
  SVC_FX_PROVIDER_URL: {
    kind: 'text',
    form: 'provider',
    programs: CONTROL_AND_WORKER,
    says: 'URL of automatic exchange rates, such as `https://rates.example/latest?base={base}`. Without it, only manual rates are available.',
    secret: true,
  },
  SVC_FX_REFRESH_SECONDS: {
    kind: 'integer',
    otherwise: LIMITS.exchangeRates.refreshSeconds,
    from: 1,
    to: 604_800,
    programs: CONTROL_AND_WORKER,
    says: 'Interval for fetching exchange rates.',
  },
  SVC_CODE_ASSIST: {
    kind: 'word',
    otherwise: 'off',
    words: ['off', 'on'],
    programs: CONTROL,
    says: '`on` sends sources that people submit to the provider of `SVC_CODE_ASSIST_URL`, which proposes guard calls.',
  },
  SVC_CODE_ASSIST_PROTOCOL: {
    kind: 'word',
    otherwise: 'openai-chat',
    words: ['openai-chat', 'openai-responses', 'anthropic'],
    programs: CONTROL,
    says: 'Protocol of the provider of code assist.',
  },
  SVC_CODE_ASSIST_URL: {
    kind: 'text',
    form: 'any',
    programs: CONTROL,
    says: 'Endpoint of the provider of code assist, such as `https://models.example/v1/chat/completions`.',
  },
  SVC_CODE_ASSIST_KEY: {
    kind: 'text',
    form: 'any',
    programs: CONTROL,
    says: 'API key of the provider of code assist.',
    secret: true,
  },
  SVC_CODE_ASSIST_MODELS: {
    kind: 'text',
    form: 'any',
    programs: CONTROL,
    says: 'Models that code assist offers, separated by commas.',
  },
  SVC_CODE_ASSIST_TIMEOUT_MS: {
    kind: 'integer',
    otherwise: 60_000,
    from: 1_000,
    to: 300_000,
    programs: CONTROL,
    says: 'Timeout for a response of the provider of code assist.',
  },
  SVC_CODE_ASSIST_PER_HOUR: {
    kind: 'integer',
    otherwise: 60,
    from: 1,
    to: 100_000,
    programs: CONTROL,
    says: 'Requests to code assist of each organization in an hour.',
  },
  SVC_DATABASE_TIMEOUT_MS: {
    kind: 'integer',
    otherwise: 5_000,
    from: 500,
    to: 60_000,
    programs: PROGRAMS,
    says: 'Timeout after which requests are refused because the database does not respond. A decision can wait half of this time to be recorded, and recording can take the other half.',
  },
  SVC_DATABASE_CONNECTIONS: {
    kind: 'integer',
    otherwise: 8,
    from: 1,
    to: 100,
    programs: PLANES,
    says: 'Connections per pool. One organization uses at most half of them, or a quarter (at least two) while others need connections; searches use a quarter. The control plane has two pools and 16 additional connections, a gateway has one pool and 17.',
  },
  SVC_CLOCK_SKEW_MAX_SECONDS: {
    kind: 'integer',
    otherwise: LIMITS.clock.skewMaxSeconds,
    from: 1,
    to: 604_800,
    programs: PROGRAMS,
    says: 'Maximum clock difference between a plane and the database. See [clocks](#clocks).',
  },
  SESSION_TTL_SECONDS: {
    kind: 'integer',
    otherwise: LIMITS.sessions.lifetimeSeconds,
    from: 60,
    to: 31_536_000,
    programs: CONTROL,
    says: 'Maximum lifetime of a user session.',
  },
  SESSION_IDLE_TIMEOUT_SECONDS: {
    kind: 'integer',
    otherwise: LIMITS.sessions.idleTimeoutSeconds,
    from: 60,
    to: 31_536_000,
    programs: CONTROL,
    says: 'Idle timeout of a user session.',
  },
  STEP_UP_TTL_SECONDS: {
    kind: 'integer',
    otherwise: LIMITS.sessions.stepUpLifetimeSeconds,
    from: 10,
    to: 86_400,
    programs: CONTROL,
    says: 'Lifetime of a step-up.',
  },
  MAX_LOGIN_ATTEMPTS: {
    kind: 'integer',
    otherwise: LIMITS.sessions.loginAttemptsMax,
    from: 1,
    to: 1_000,
    programs: CONTROL,
    says: 'Failed attempts until the lockout of an account: seven tenths of them from unknown clients, three tenths from its own sessions and known browsers. An address has ten times as many, with delays that grow.',
  },
  LOGIN_LOCKOUT_SECONDS: {
    kind: 'integer',
    otherwise: LIMITS.sessions.lockoutSeconds,
    from: 1,
    to: 86_400,
    programs: CONTROL,
    says: 'Duration of a lockout.',
  },
  AGENT_TOKEN_TTL_SECONDS: {
    kind: 'integer',
    otherwise: LIMITS.agentTokens.lifetimeSeconds,
    from: 30,
    to: 86_400,
    programs: GATEWAY,
    says: 'Lifetime of an agent token.',
  },
  ASSERTION_WINDOW_SECONDS: {
    kind: 'integer',
    otherwise: LIMITS.assertions.windowSeconds,
    from: 1,
    to: LIMITS.assertions.windowSecondsMax,
    programs: GATEWAY,
    says: 'Maximum clock difference of an agent.',
  },
  SVC_REPORT_WITHIN_SECONDS: {
    kind: 'integer',
    otherwise: LIMITS.outcomes.reportWithinSeconds,
    from: LIMITS.outcomes.reportWithinSecondsMin,
    to: LIMITS.outcomes.reportWithinSecondsMax,
    programs: WORKER,
    says: 'Time for an agent to report the outcome of an action that it executes itself. After that the action is closed as `UNKNOWN`.',
  },
  SVC_PASSPORT_DAYS: {
    kind: 'integer',
    otherwise: LIMITS.passports.lifetimeDays,
    from: 1,
    to: 3_650,
    programs: CONTROL_AND_WORKER,
    says: 'Lifetime of an agent passport. It is renewed automatically before it expires.',
  },
  SVC_SIGNUP: {
    kind: 'word',
    otherwise: 'open, or closed',
    words: SIGNUPS,
    programs: CONTROL,
    says: 'Sign-up mode: open to all, or only with the set-up link, once. Closed by default if other machines can reach the control plane: with another `HOST`, a public `SVC_BASE_URL` or `SVC_TRUST_PROXY`.',
  },
  SVC_SAML: {
    kind: 'flag',
    otherwise: false,
    programs: CONTROL,
    says: 'Allows organizations to sign in with SAML 2.0. Without it they use OpenID Connect, which is simpler to configure safely.',
  },
  SMTP_URL: {
    kind: 'text',
    form: 'mail server',
    programs: CONTROL_AND_WORKER,
    says: 'Mail server, `smtps://user:password@mail.example:465`, or `smtp://` for plain text with an upgrade to TLS if the server offers it. TLS is required if there is a password and the server is on another machine.',
    secret: true,
  },
  SVC_MAIL_FROM: {
    kind: 'text',
    form: 'mailbox',
    otherwise: 'Agent governance <no-reply@localhost>',
    programs: CONTROL_AND_WORKER,
    says: 'Sender of mails, `Governance <governance@example.com>`.',
  },
  SVC_MAIL: {
    kind: 'word',
    otherwise: 'smtp, or outbox',
    words: MAILS,
    programs: CONTROL_AND_WORKER,
    says: 'Mail transport: `smtp` if `SMTP_URL` is set; otherwise `outbox`, which keeps mails on this machine, if other machines cannot reach the control plane; `none` sends no mails, and features that need them are refused.',
  },
  SVC_WORKER_RUNS: {
    kind: 'word',
    otherwise: 'all',
    words: WORKER_PARTS,
    programs: WORKER,
    says: 'Which part of the work a worker does: `jobs` (expiry, renewal, notifications, mails), `feed` (sealing, webhooks, chat channels), or `all`. Every installation needs both parts.',
  },
  SVC_CONTROL_METRICS: {
    kind: 'text',
    form: 'listening',
    programs: CONTROL,
    says: 'Listen address of the metrics of the control plane, `127.0.0.1:9463`, or only a port; path `/metrics`, Prometheus text format. [Monitoring](monitoring.md)',
  },
  SVC_GATEWAY_METRICS: {
    kind: 'text',
    form: 'listening',
    programs: GATEWAY,
    says: 'The same for a gateway, `127.0.0.1:9464`.',
  },
  SVC_WORKER_METRICS: {
    kind: 'text',
    form: 'listening',
    programs: WORKER,
    says: 'The same for a worker, `127.0.0.1:9465`, also with `/health/live` and `/health/ready`.',
  },
  SVC_AUDIT_ANCHOR_FILE: {
    kind: 'text',
    form: 'folder',
    programs: WORKER,
    says: 'File to which checkpoints of the audit log are appended, preferably on append-only storage or a disk that another machine reads. [The audit record](../guides/audit-record.md)',
  },
  SVC_AUDIT_ANCHOR_URL: {
    kind: 'text',
    form: 'receiver',
    programs: WORKER,
    says: 'URL to which each checkpoint is posted, `https://notary.example/checkpoints`.',
    secret: true,
  },
  SVC_AUDIT_ANCHOR_BUCKET: {
    kind: 'text',
    form: 'receiver',
    programs: WORKER,
    says: 'Bucket of an S3-compatible store to which each checkpoint is written, as host, bucket name and folder: `https://s3.example/bucket/checkpoints`.',
  },
  SVC_AUDIT_ANCHOR_BUCKET_KEY: {
    kind: 'text',
    form: 'access key',
    programs: WORKER,
    says: 'Access key for the bucket, `id:secret`. It only needs permission to add and read objects.',
    secret: true,
  },
  SVC_AUDIT_ANCHOR_BUCKET_REGION: {
    kind: 'text',
    form: 'any',
    otherwise: 'us-east-1',
    programs: WORKER,
    says: 'Region for signing requests to the bucket.',
  },
  SVC_AUDIT_WITNESSES: {
    kind: 'list',
    of: 'witnesses',
    programs: WORKER,
    says: 'Witnesses that cosign checkpoints (C2SP tlog-witness): key and URL, separated by a space, `witness.example/w1+3a2b1c0d+BBN… https://witness.example`.',
  },
  SVC_AUDIT_ANCHOR_SECONDS: {
    kind: 'integer',
    otherwise: LIMITS.anchors.everySeconds,
    from: 1,
    to: 86_400,
    programs: WORKER,
    says: 'Seconds between two checkpoints of one organization at each of these destinations.',
  },
  SVC_EVENT_SINKS: {
    kind: 'text',
    form: 'any',
    programs: WORKER,
    says: 'Destinations of all audit events, as URLs separated by spaces: NATS JetStream, Kafka, an S3-compatible store or OTLP logs. [Event sinks](event-sinks.md)',
    secret: true,
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    kind: 'text',
    form: 'collector',
    programs: PLANES,
    says: 'OpenTelemetry collector that receives traces of requests, `http://127.0.0.1:4318`. If not set, tracing is disabled.',
  },
  OTEL_SERVICE_NAME: {
    kind: 'text',
    form: 'any',
    programs: PLANES,
    says: 'Service name of the planes in traces; `svc-control` and `svc-gateway` by default.',
  },
  OTEL_BSP_MAX_QUEUE_SIZE: {
    kind: 'integer',
    otherwise: TRACING_LIMITS.queuedMax,
    from: 1,
    to: 65_536,
    programs: PLANES,
    says: 'Maximum number of spans in the queue for the collector. Further spans are dropped and counted.',
  },
  OTEL_BSP_SCHEDULE_DELAY: {
    kind: 'integer',
    otherwise: TRACING_LIMITS.everyMs,
    from: 10,
    to: 60_000,
    programs: PLANES,
    says: 'Maximum time in milliseconds that a span waits for its batch.',
  },
  OTEL_SDK_DISABLED: {
    kind: 'flag',
    otherwise: false,
    programs: PLANES,
    says: 'Disables tracing and overrides all other tracing settings.',
  },
  SVC_RATE_LOGIN_PER_MINUTE: {
    kind: 'integer',
    otherwise: LIMITS.rates.loginPerMinute,
    from: 1,
    to: 1_000_000,
    programs: CONTROL,
    says: 'Sign-ins from one address, and step-ups of one session; a sixth as many mails with a code are sent for one address.',
  },
  SVC_RATE_CONTROL_PLANE_PER_MINUTE: {
    kind: 'integer',
    otherwise: LIMITS.rates.controlPlanePerMinute,
    from: 1,
    to: 10_000_000,
    programs: CONTROL,
    says: 'Requests of one user or API key, and sign-ups from one address.',
  },
  SVC_RATE_GATEWAY_TOKEN_PER_MINUTE: {
    kind: 'integer',
    otherwise: LIMITS.rates.gatewayTokenPerMinute,
    from: 1,
    to: 10_000_000,
    programs: GATEWAY,
    says: 'Tokens of one agent.',
  },
  SVC_RATE_GATEWAY_ACTIONS_PER_MINUTE: {
    kind: 'integer',
    otherwise: LIMITS.rates.gatewayActionsPerMinute,
    from: 1,
    to: 100_000_000,
    programs: GATEWAY,
    says: 'Actions of one agent.',
  },
  SVC_RATE_ORGANIZATION_PER_MINUTE: {
    kind: 'integer',
    otherwise: LIMITS.rates.organizationPerMinute,
    from: 1,
    to: 100_000_000,
    programs: CONTROL,
    says: 'Requests of all users and API keys of one organization together, in addition to the limit of each.',
    growsWith: { 'control-plane': 'SVC_RATE_CONTROL_PLANE_PER_MINUTE' },
  },
  SVC_RATE_ORGANIZATION_ACTIONS_PER_MINUTE: {
    kind: 'integer',
    otherwise: LIMITS.rates.organizationActionsPerMinute,
    from: 1,
    to: 100_000_000,
    programs: GATEWAY,
    says: 'Actions of all agents of one organization together.',
    growsWith: { gateway: 'SVC_RATE_GATEWAY_ACTIONS_PER_MINUTE' },
  },
  SVC_RATE_ORGANIZATION_KIB_PER_MINUTE: {
    kind: 'integer',
    otherwise: LIMITS.rates.organizationKibPerMinute,
    from: 16_384,
    to: 1_000_000_000,
    programs: PLANES,
    says: 'KiB in bodies over 4 KiB that all users and API keys of one organization may send together; the same limit applies separately to all its agents.',
    growsWith: { 'control-plane': 'SVC_RATE_CONTROL_PLANE_PER_MINUTE', gateway: 'SVC_RATE_GATEWAY_ACTIONS_PER_MINUTE' },
  },
  SVC_RATE_ADDRESS_PER_MINUTE: {
    kind: 'integer',
    otherwise: LIMITS.rates.addressPerMinute,
    from: 1,
    to: 100_000_000,
    programs: PLANES,
    says: 'Requests from one address without a credential, with an invalid one, or as the first request of their connection.',
    growsWith: { 'control-plane': 'SVC_RATE_CONTROL_PLANE_PER_MINUTE', gateway: 'SVC_RATE_GATEWAY_TOKEN_PER_MINUTE' },
  },
  SVC_CONNECTIONS: {
    kind: 'integer',
    otherwise: LIMITS.connections.totalMax,
    from: 16,
    to: 100_000,
    programs: PLANES,
    says: 'Maximum number of simultaneous connections of each plane.',
  },
  SVC_CONNECTIONS_PER_ADDRESS: {
    kind: 'integer',
    otherwise: LIMITS.connections.perAddressMax,
    from: 8,
    to: 100_000,
    programs: PLANES,
    says: 'Maximum number of these connections from one address. Ignored with `SVC_TRUST_PROXY`.',
  },
  LOG_LEVEL: {
    kind: 'word',
    otherwise: 'info',
    words: LOG_LEVELS,
    programs: PROGRAMS,
    says: 'Minimum level of the log lines of a plane.',
  },
  SVC_LOG_FILE: {
    kind: 'text',
    form: 'any',
    programs: PROGRAMS,
    says: 'Log file of a plane that you start yourself. Defaults to standard error. `npm start` sets a separate file for each plane.',
  },
  SVC_LOG_FILE_MIB: {
    kind: 'integer',
    otherwise: LIMITS.logs.fileBytesMax / 1_048_576,
    from: 1,
    to: 10_240,
    programs: PROGRAMS,
    says: 'Size at which a plane rotates its log.',
  },
  SVC_LOG_FILES: {
    kind: 'integer',
    otherwise: LIMITS.logs.filesMax,
    from: 1,
    to: 100,
    programs: PROGRAMS,
    says: 'Number of log files to keep, including the current one.',
  },
  SVC_SANDBOX_ORIGIN: {
    kind: 'text',
    form: 'address',
    programs: PLANES,
    says: 'Listen address of the sandbox receiver; set by the launcher.',
  },
  SVC_INSTALLATION_KEY: {
    kind: 'text',
    form: 'any',
    programs: PROGRAMS,
    says: 'The key of the installation, unwrapped; the launcher sets it.',
    secret: true,
  },
} as const satisfies Readonly<Record<string, Setting>>;

export type SettingName = keyof typeof SETTING_TABLE;

/** The names of the settings of one kind. */
export type SettingOf<Kind extends Setting['kind']> = {
  [Name in SettingName]: (typeof SETTING_TABLE)[Name]['kind'] extends Kind ? Name : never;
}[SettingName];

/** What a setting that is a word may be. */
export type WordOf<Name extends SettingOf<'word'>> = (typeof SETTING_TABLE)[Name]['words'][number];
