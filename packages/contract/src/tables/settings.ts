import { LIMITS } from './limits.ts';
import type { Setting } from './setting-kinds.ts';
import { TRACING_LIMITS } from './watching.ts';

const PLANES = ['control-plane', 'gateway'] as const;
const PROGRAMS = ['control-plane', 'gateway', 'worker'] as const;
const PLANES_AND_START = ['control-plane', 'gateway', 'launcher'] as const;
const ALL = ['control-plane', 'gateway', 'worker', 'launcher'] as const;
const START = ['launcher'] as const;
const CONTROL = ['control-plane'] as const;
const CONTROL_AND_START = ['control-plane', 'launcher'] as const;
const GATEWAY = ['gateway'] as const;
const WORKER = ['worker'] as const;
const CONTROL_AND_WORKER = ['control-plane', 'worker'] as const;
const GATEWAY_AND_START = ['gateway', 'launcher'] as const;

/** `invited`: nobody founds an organization, and people join one by invitation. */
const SIGNUPS = ['closed', 'invited', 'open'] as const;

/** `outbox`: kept here, to be read on this machine alone. */
const MAILS = ['smtp', 'outbox', 'none'] as const;

/** From telling everything to telling nothing. */
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Every setting, in the order in which they are told. The readers of all programs, the operator's guide and `npm run config` go by it. */
export const SETTING_TABLE = {
  CONTROL_PLANE_PORT: {
    kind: 'integer',
    otherwise: 4_000,
    from: 0,
    to: 65_535,
    programs: CONTROL_AND_START,
    says: 'Port of the control plane; 0 takes any free one.',
  },
  GATEWAY_PORT: { kind: 'integer', otherwise: 4_100, from: 0, to: 65_535, programs: GATEWAY_AND_START, says: 'Port of the gateway.' },
  HOST: {
    kind: 'text',
    form: 'any',
    otherwise: '127.0.0.1',
    programs: PLANES_AND_START,
    says: 'Address both planes listen on. With `0.0.0.0` other machines reach them; then say by `SMTP_URL`, or by `SVC_MAIL=none`, what becomes of mails.',
  },
  DATA_DIR: {
    kind: 'text',
    form: 'folder',
    otherwise: '.data',
    programs: START,
    says: 'Folder for the embedded database, the master key and the logs; a relative one lies in the project.',
  },
  DATABASE_URL: {
    kind: 'text',
    form: 'database',
    programs: ALL,
    says: 'Your own PostgreSQL instead of the embedded one, as its owner: `postgres://user:password@host:5432/database`.',
    secret: true,
  },
  REDIS_URL: {
    kind: 'text',
    form: 'redis',
    programs: PLANES_AND_START,
    says: 'Shared counters for rate limits, `redis://host:6379`, with `/1` and so on for another database of it. Needed as soon as there are several gateways.',
    secret: true,
  },
  SVC_MASTER_KEY: {
    kind: 'text',
    form: 'master key',
    programs: ALL,
    says: 'Base64 of 32 random bytes. Without it a key is made in `master.key` in the data folder.',
    secret: true,
  },
  SVC_MASTER_KEY_FILE: {
    kind: 'text',
    form: 'any',
    programs: ALL,
    says: 'File that holds it instead, for its owner alone (0600). [The master key](#the-master-key)',
  },
  SVC_MASTER_KEY_COMMAND: {
    kind: 'text',
    form: 'command',
    programs: ALL,
    says: 'Program that wraps and unwraps the key of the installation instead, so that a key management service holds the master key: `["/usr/local/bin/kms-wrap", "alias/governance"]`, or words with blanks between.',
  },
  SVC_BASE_URL: {
    kind: 'text',
    form: 'public address',
    programs: PLANES,
    says: 'Public address of the control plane, if it runs behind a proxy; http or https, without query. Gateways use it, if set, to link to the pages.',
  },
  SVC_GATEWAY_URL: {
    kind: 'text',
    form: 'public address',
    programs: PLANES,
    says: 'Public address of the gateway; http or https, with no query. Agents sign for exactly this string, without a slash at its end.',
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
    says: 'Networks that tools, providers of single sign-on and receivers of webhooks may be reached in although they are not public, `10.1.0.0/16,192.168.7.4/32`.',
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
    programs: PLANES,
    says: 'Allows stored credentials, and the secrets of token requests, without TLS to private networks and this machine. To public addresses they always require TLS.',
  },
  SVC_EGRESS_TIMEOUT_MS: {
    kind: 'integer',
    otherwise: LIMITS.egress.timeoutMs,
    from: 100,
    to: 120_000,
    programs: PLANES,
    says: 'How long the answer of a tool, or of the provider of exchange rates, may take.',
  },
  SVC_EGRESS_NAME_SERVERS: {
    kind: 'list',
    of: 'name servers',
    programs: PROGRAMS,
    says: "Name servers to ask instead of the system's, `10.0.0.2,[fd00::2]:53`. The hosts file stands before them.",
  },
  SVC_FX_PROVIDER_URL: {
    kind: 'text',
    form: 'provider',
    programs: CONTROL,
    says: 'URL of automatic exchange rates, such as `https://rates.example/latest?base={base}`. Without it, only manual rates are available.',
    secret: true,
  },
  SVC_FX_REFRESH_SECONDS: {
    kind: 'integer',
    otherwise: LIMITS.exchangeRates.refreshSeconds,
    from: 1,
    to: 604_800,
    programs: CONTROL,
    says: 'How often they are fetched.',
  },
  SVC_DATABASE_TIMEOUT_MS: {
    kind: 'integer',
    otherwise: 5_000,
    from: 500,
    to: 60_000,
    programs: PROGRAMS,
    says: 'After that a database that does not answer is a refusal. Half of it a decision may wait to be recorded, half the recording may take.',
  },
  SVC_DATABASE_CONNECTIONS: {
    kind: 'integer',
    otherwise: 8,
    from: 1,
    to: 100,
    programs: PLANES,
    says: 'Connections of one pool. One organization uses at most half of them, a quarter (at least two) while others need some; searches use a quarter. The control plane has two pools and 16 more connections, a gateway one and 17.',
  },
  SVC_CLOCK_SKEW_MAX_SECONDS: {
    kind: 'integer',
    otherwise: LIMITS.clock.skewMaxSeconds,
    from: 1,
    to: 604_800,
    programs: PROGRAMS,
    says: "How far the clock of a plane may be from the database's. See [clocks](#clocks).",
  },
  SESSION_TTL_SECONDS: {
    kind: 'integer',
    otherwise: LIMITS.sessions.lifetimeSeconds,
    from: 60,
    to: 31_536_000,
    programs: CONTROL,
    says: "How long a person's session lasts at most.",
  },
  SESSION_IDLE_TIMEOUT_SECONDS: {
    kind: 'integer',
    otherwise: LIMITS.sessions.idleTimeoutSeconds,
    from: 60,
    to: 31_536_000,
    programs: CONTROL,
    says: 'And how long unused.',
  },
  STEP_UP_TTL_SECONDS: {
    kind: 'integer',
    otherwise: LIMITS.sessions.stepUpLifetimeSeconds,
    from: 10,
    to: 86_400,
    programs: CONTROL,
    says: 'How long a step-up holds.',
  },
  MAX_LOGIN_ATTEMPTS: {
    kind: 'integer',
    otherwise: LIMITS.sessions.loginAttemptsMax,
    from: 1,
    to: 1_000,
    programs: CONTROL,
    says: 'Wrong guesses until the lockout of an address, and of an account: seven tenths of them from strangers, three from its own sessions and known browsers.',
  },
  LOGIN_LOCKOUT_SECONDS: {
    kind: 'integer',
    otherwise: LIMITS.sessions.lockoutSeconds,
    from: 1,
    to: 86_400,
    programs: CONTROL,
    says: 'How long it lasts.',
  },
  AGENT_TOKEN_TTL_SECONDS: {
    kind: 'integer',
    otherwise: LIMITS.agentTokens.lifetimeSeconds,
    from: 30,
    to: 86_400,
    programs: GATEWAY,
    says: "Life of an agent's token.",
  },
  ASSERTION_WINDOW_SECONDS: {
    kind: 'integer',
    otherwise: LIMITS.assertions.windowSeconds,
    from: 1,
    to: LIMITS.assertions.windowSecondsMax,
    programs: GATEWAY,
    says: "How far an agent's clock may be off.",
  },
  SVC_REPORT_WITHIN_SECONDS: {
    kind: 'integer',
    otherwise: LIMITS.outcomes.reportWithinSeconds,
    from: LIMITS.outcomes.reportWithinSecondsMin,
    to: LIMITS.outcomes.reportWithinSecondsMax,
    programs: CONTROL,
    says: 'How long an agent may take to report how an action went that it executes itself; then the action is closed as `UNKNOWN`.',
  },
  SVC_PASSPORT_DAYS: {
    kind: 'integer',
    otherwise: LIMITS.passports.lifetimeDays,
    from: 1,
    to: 3_650,
    programs: CONTROL,
    says: "Life of an agent's passport. It is renewed by itself before its end.",
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
    programs: CONTROL,
    says: 'Mail server, `smtps://user:password@mail.example:465`, or `smtp://` for one that is spoken to in the clear until it offers TLS, which is then taken; TLS is asked for where there is a password and the server is on another machine.',
    secret: true,
  },
  SVC_MAIL_FROM: {
    kind: 'text',
    form: 'mailbox',
    otherwise: 'Agent governance <no-reply@localhost>',
    programs: CONTROL,
    says: 'Sender of mails, `Governance <governance@example.com>`.',
  },
  SVC_MAIL: {
    kind: 'word',
    otherwise: 'smtp, or outbox',
    words: MAILS,
    programs: CONTROL,
    says: 'Mail transport: `smtp` if `SMTP_URL` is set; otherwise `outbox`, which keeps mails on this machine, if other machines cannot reach the control plane; `none` sends no mails, and features that need them are refused.',
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
    says: 'File to which checkpoints of the audit log are added, best on a disk that only grows or that another machine reads. [The audit record](../guides/audit-record.md)',
  },
  SVC_AUDIT_ANCHOR_URL: {
    kind: 'text',
    form: 'receiver',
    programs: WORKER,
    says: 'Address to which each of them is posted, `https://notary.example/checkpoints`.',
    secret: true,
  },
  SVC_AUDIT_ANCHOR_BUCKET: {
    kind: 'text',
    form: 'receiver',
    programs: WORKER,
    says: 'Bucket of an S3-compatible store to which each of them is written, with its host before the name and a folder behind it, `https://s3.example/bucket/checkpoints`.',
  },
  SVC_AUDIT_ANCHOR_BUCKET_KEY: {
    kind: 'text',
    form: 'access key',
    programs: WORKER,
    says: 'Access key for it, `id:secret`; it needs to add objects and to read them, and nothing else.',
    secret: true,
  },
  SVC_AUDIT_ANCHOR_BUCKET_REGION: {
    kind: 'text',
    form: 'any',
    otherwise: 'us-east-1',
    programs: WORKER,
    says: 'Region that requests to it are signed for.',
  },
  SVC_AUDIT_WITNESSES: {
    kind: 'list',
    of: 'witnesses',
    programs: WORKER,
    says: 'Witnesses that cosign them (C2SP tlog-witness): key and address with a space between, `witness.example/w1+3a2b1c0d+BBN… https://witness.example`.',
  },
  SVC_AUDIT_ANCHOR_SECONDS: {
    kind: 'integer',
    otherwise: LIMITS.anchors.everySeconds,
    from: 1,
    to: 86_400,
    programs: WORKER,
    says: 'Seconds between two checkpoints of one organization at each of these places.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    kind: 'text',
    form: 'collector',
    programs: PLANES,
    says: 'Collector of OpenTelemetry to which requests are traced, `http://127.0.0.1:4318`. Without it nothing is traced.',
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
    says: 'Spans that wait for the collector; what finds no room is dropped and counted.',
  },
  OTEL_BSP_SCHEDULE_DELAY: {
    kind: 'integer',
    otherwise: TRACING_LIMITS.everyMs,
    from: 10,
    to: 60_000,
    programs: PLANES,
    says: 'Milliseconds that a span waits for its batch at most.',
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
    says: 'Sign-ins from one address, and step-ups of one session.',
  },
  SVC_RATE_CONTROL_PLANE_PER_MINUTE: {
    kind: 'integer',
    otherwise: LIMITS.rates.controlPlanePerMinute,
    from: 1,
    to: 10_000_000,
    programs: CONTROL,
    says: 'Requests of one person or API key, and sign-ups from one address.',
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
    says: 'KiB in bodies over 4 KiB that all people and API keys of one organization may send together, and as many again all its agents.',
    growsWith: { 'control-plane': 'SVC_RATE_CONTROL_PLANE_PER_MINUTE', gateway: 'SVC_RATE_GATEWAY_ACTIONS_PER_MINUTE' },
  },
  SVC_RATE_ADDRESS_PER_MINUTE: {
    kind: 'integer',
    otherwise: LIMITS.rates.addressPerMinute,
    from: 1,
    to: 100_000_000,
    programs: PLANES,
    says: 'Requests from one address that show no credential, one that is none, or the first on their connection.',
    growsWith: { 'control-plane': 'SVC_RATE_CONTROL_PLANE_PER_MINUTE', gateway: 'SVC_RATE_GATEWAY_TOKEN_PER_MINUTE' },
  },
  SVC_CONNECTIONS: {
    kind: 'integer',
    otherwise: LIMITS.connections.totalMax,
    from: 16,
    to: 100_000,
    programs: PLANES,
    says: 'Connections open at the same time, of each plane.',
  },
  SVC_CONNECTIONS_PER_ADDRESS: {
    kind: 'integer',
    otherwise: LIMITS.connections.perAddressMax,
    from: 8,
    to: 100_000,
    programs: PLANES,
    says: 'The part of these from one address. Ignored with `SVC_TRUST_PROXY`.',
  },
  LOG_LEVEL: {
    kind: 'word',
    otherwise: 'info',
    words: LOG_LEVELS,
    programs: PROGRAMS,
    says: 'From which on the lines of a plane are written.',
  },
  SVC_LOG_FILE: {
    kind: 'text',
    form: 'any',
    programs: PROGRAMS,
    says: 'File for the log of a plane that you start yourself; standard error without it. `npm start` gives each plane its own.',
  },
  SVC_LOG_FILE_MIB: {
    kind: 'integer',
    otherwise: LIMITS.logs.fileBytesMax / 1_048_576,
    from: 1,
    to: 10_240,
    programs: PROGRAMS,
    says: 'Size at which a plane moves its log aside.',
  },
  SVC_LOG_FILES: {
    kind: 'integer',
    otherwise: LIMITS.logs.filesMax,
    from: 1,
    to: 100,
    programs: PROGRAMS,
    says: 'Files it keeps, the one it writes included.',
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
