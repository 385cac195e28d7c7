import type { KeyObject } from 'node:crypto';
import { LIMITS, SETTINGS } from '@svc/contract/tables/limits.ts';
import type { WordOf } from '@svc/contract/tables/settings.ts';
import { WATCH_SETTINGS } from '@svc/contract/tables/watching.ts';
import type { ServeDeps } from '@svc/http/calls/serve-deps.ts';
import type { RateProviderSettings } from '@svc/operations/money/fx-rates/provider/new-rate-provider.ts';
import type { GivenKey } from '@svc/program/keys/master-key.ts';
import type { LogPlace } from '@svc/program/log/new-logger.ts';
import { readMetricsSetting } from '@svc/program/metrics/read-metrics-setting.ts';
import type { MetricsAddress } from '@svc/program/metrics/serve-metrics.ts';
import { readConnections, readLog, readRequired } from '@svc/program/settings/read-common.ts';
import type { Env } from '@svc/program/settings/read-setting.ts';
import { readSettings, type SettingsReader } from '@svc/program/settings/read-settings.ts';
import { readTracingSettings, type TracingSettings } from '@svc/program/tracing/read-tracing-settings.ts';
import type { CodeAssistSettings } from './tools/code-assist/asking/open-code-assist.ts';

type Signup = WordOf<'SVC_SIGNUP'>;

export type ControlSettings = {
  readonly host: string;
  readonly port: number;
  readonly databaseUrl: string;
  /** A replica for reading the audit record; undefined if there is none. */
  readonly readDatabaseUrl: string | undefined;
  readonly readLagMaxMs: number;
  readonly databaseTimeoutMs: number;
  readonly connectionsMax: number;
  /** Maximum difference between the clock of this process and the database's. */
  readonly clockSkewMaxSeconds: number;
  readonly redisUrl: string | undefined;
  /** The installation key, from which every other key is derived. */
  readonly masterKey: KeyObject;
  readonly logLevel: string;
  readonly log: LogPlace;
  readonly trustProxy: boolean;
  /** Public address; the listening address if it is not set. */
  readonly baseUrl: string | undefined;
  readonly gatewayUrl: string;
  readonly sessionLifetimeSeconds: number;
  readonly sessionIdleTimeoutSeconds: number;
  readonly stepUpLifetimeSeconds: number;
  readonly loginAttemptsMax: number;
  readonly lockoutSeconds: number;
  readonly passportLifetimeDays: number;
  /** Who may found an organization once there is one. */
  readonly signup: Signup;
  readonly mailKind: WordOf<'SVC_MAIL'>;
  /** Undefined if automatic rates are off. */
  readonly exchangeRateProvider: (RateProviderSettings & { readonly refreshSeconds: number }) | undefined;
  /** The built-in receiver, which tools may call at any address. */
  readonly sandboxOrigin: string | undefined;
  /** Undefined while code assist is off. */
  readonly codeAssist: CodeAssistSettings | undefined;
  /** How identity providers are reached. */
  readonly egress: { readonly timeoutMs: number; readonly allowCidrs: readonly string[]; readonly nameServers: readonly string[] };
  /** True if credentials may be tested at addresses other than the built-in receiver. */
  readonly realEgress: boolean;
  /** True if token endpoints may be called without TLS within private networks. */
  readonly credentialsOverHttp: boolean;
  /** True if organizations may use SAML. */
  readonly saml: boolean;
  /** Hosts that notification channels may use in addition to Slack's. */
  readonly notificationHosts: readonly string[];
  /** Address of the metrics endpoint; undefined if there is none. */
  readonly metrics: MetricsAddress | undefined;
  /** Undefined if tracing is off. */
  readonly tracing: TracingSettings | undefined;
  readonly rates: { readonly [Name in keyof typeof LIMITS.rates]: number };
  readonly connections: ServeDeps['connections'];
};

/** Reads the provider of code assist; undefined if it is off, a fault if only a part of it is set. */
const readCodeAssist = (read: SettingsReader): CodeAssistSettings | undefined | { readonly fault: string } => {
  if (read.word('SVC_CODE_ASSIST') === 'off') return undefined;
  const [url = '', key = ''] = [read.text('SVC_CODE_ASSIST_URL'), read.text('SVC_CODE_ASSIST_KEY')];
  const models = (read.text('SVC_CODE_ASSIST_MODELS') ?? '')
    .split(',')
    .map((model) => model.trim())
    .filter((model) => model !== '');
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '') || key === '' || models.length === 0)
    return { fault: 'SVC_CODE_ASSIST=on needs SVC_CODE_ASSIST_URL (a URL), SVC_CODE_ASSIST_KEY and SVC_CODE_ASSIST_MODELS.' };
  const protocol = read.word('SVC_CODE_ASSIST_PROTOCOL');
  const [timeoutMs, perHour] = [read.integer('SVC_CODE_ASSIST_TIMEOUT_MS'), read.integer('SVC_CODE_ASSIST_PER_HOUR')];
  return { protocol, url, key, models, timeoutMs, perHour };
};

/** Reads the source and interval of automatic rates; undefined if no provider is named. */
const readProvider = (read: SettingsReader): ControlSettings['exchangeRateProvider'] => {
  const url = read.text(SETTINGS.exchangeRateProviderUrl);
  if (url === undefined) return undefined;
  return {
    url,
    refreshSeconds: read.integer(SETTINGS.exchangeRateRefreshSeconds),
    timeoutMs: read.integer('SVC_EGRESS_TIMEOUT_MS'),
    allowCidrs: read.list(SETTINGS.egressAllowedCidrs),
    nameServers: read.list(SETTINGS.egressNameServers),
  };
};

const readRates = (read: SettingsReader): ControlSettings['rates'] => ({
  ...LIMITS.rates,
  loginPerMinute: read.integer('SVC_RATE_LOGIN_PER_MINUTE'),
  controlPlanePerMinute: read.integer('SVC_RATE_CONTROL_PLANE_PER_MINUTE'),
  addressPerMinute: read.integer('SVC_RATE_ADDRESS_PER_MINUTE'),
  organizationPerMinute: read.integer('SVC_RATE_ORGANIZATION_PER_MINUTE'),
  organizationKibPerMinute: read.integer('SVC_RATE_ORGANIZATION_KIB_PER_MINUTE'),
});

/** Settings as read: the installation key is not unwrapped yet. */
export type GivenControlSettings = Omit<ControlSettings, 'masterKey'> & { readonly given: GivenKey };

/** Reads the whole environment once; reports every fault together. */
export const readControlSettings = (env: Env): GivenControlSettings | { readonly faults: readonly string[] } => {
  const read = readSettings(env, 'control-plane');
  const { databaseUrl, given, faults } = readRequired(read, env);
  if (faults.length > 0 || given === undefined || databaseUrl === undefined) return { faults };
  const codeAssist = readCodeAssist(read);
  if (codeAssist !== undefined && 'fault' in codeAssist) return { faults: [codeAssist.fault] };
  return {
    databaseUrl,
    given,
    host: read.text(SETTINGS.host),
    port: read.integer(SETTINGS.controlPlanePort),
    readDatabaseUrl: read.text('SVC_READ_DATABASE_URL'),
    readLagMaxMs: read.integer('SVC_READ_LAG_MAX_SECONDS') * 1_000,
    databaseTimeoutMs: read.integer('SVC_DATABASE_TIMEOUT_MS'),
    connectionsMax: read.integer('SVC_DATABASE_CONNECTIONS'),
    clockSkewMaxSeconds: read.integer(SETTINGS.clockSkewMaxSeconds),
    redisUrl: read.text(SETTINGS.redisUrl),
    logLevel: read.word('LOG_LEVEL'),
    log: readLog(read),
    trustProxy: read.flag('SVC_TRUST_PROXY'),
    baseUrl: read.text('SVC_BASE_URL'),
    gatewayUrl: read.text('SVC_GATEWAY_URL') ?? 'http://127.0.0.1:4100',
    sessionLifetimeSeconds: read.integer(SETTINGS.sessionLifetimeSeconds),
    sessionIdleTimeoutSeconds: read.integer(SETTINGS.sessionIdleTimeoutSeconds),
    stepUpLifetimeSeconds: read.integer(SETTINGS.stepUpLifetimeSeconds),
    loginAttemptsMax: read.integer(SETTINGS.loginAttemptsMax),
    lockoutSeconds: read.integer(SETTINGS.lockoutSeconds),
    exchangeRateProvider: readProvider(read),
    codeAssist,
    passportLifetimeDays: read.integer('SVC_PASSPORT_DAYS'),
    signup: read.word(SETTINGS.signup),
    mailKind: read.word('SVC_MAIL'),
    egress: {
      timeoutMs: read.integer('SVC_EGRESS_TIMEOUT_MS'),
      allowCidrs: read.list(SETTINGS.egressAllowedCidrs),
      nameServers: read.list(SETTINGS.egressNameServers),
    },
    realEgress: read.flag(SETTINGS.realEgress),
    credentialsOverHttp: read.flag('SVC_CREDENTIALS_OVER_HTTP'),
    sandboxOrigin: read.text('SVC_SANDBOX_ORIGIN'),
    saml: read.flag('SVC_SAML'),
    notificationHosts: read.list('SVC_NOTIFICATION_HOSTS'),
    metrics: readMetricsSetting(read.text(WATCH_SETTINGS.controlMetrics)),
    tracing: readTracingSettings(read, 'svc-control'),
    rates: readRates(read),
    connections: readConnections(read),
  };
};
