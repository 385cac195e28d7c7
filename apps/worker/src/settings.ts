import type { KeyObject } from 'node:crypto';
import { SETTINGS } from '@svc/contract/tables/limits.ts';
import type { WordOf } from '@svc/contract/tables/settings.ts';
import type { RateProviderSettings } from '@svc/operations/money/fx-rates/provider/new-rate-provider.ts';
import type { GivenKey } from '@svc/program/keys/master-key.ts';
import type { LogPlace } from '@svc/program/log/new-logger.ts';
import { readMetricsSetting } from '@svc/program/metrics/read-metrics-setting.ts';
import type { MetricsAddress } from '@svc/program/metrics/serve-metrics.ts';
import { buildReachableUrl } from '@svc/program/settings/reachable-url.ts';
import { readLog, readRequired } from '@svc/program/settings/read-common.ts';
import { type Env, readSetting } from '@svc/program/settings/read-setting.ts';
import { readSettings, type SettingsReader } from '@svc/program/settings/read-settings.ts';
import { findSinkFaults, readSinks } from './events/sinks/sink-settings.ts';
import type { MailSettings } from './mail/open-mailing.ts';
import { type AnchorSettings, findAnchorFaults, readAnchorSettings } from './settings/anchor-settings.ts';

export type WorkerSettings = {
  readonly databaseUrl: string;
  readonly databaseTimeoutMs: number;
  /** Maximum difference between the clock of this process and the database's. */
  readonly clockSkewMaxSeconds: number;
  /** The installation key, from which every other key is derived. */
  readonly masterKey: KeyObject;
  readonly logLevel: string;
  readonly log: LogPlace;
  readonly runs: WordOf<'SVC_WORKER_RUNS'>;
  /** How receivers of webhooks and token endpoints are reached, if egress is on. */
  readonly egress: {
    readonly allowRealEgress: boolean;
    readonly allowCidrs: readonly string[];
    readonly nameServers: readonly string[];
  };
  /** Allows token requests without TLS to private networks. */
  readonly credentialsOverHttp: boolean;
  /** Public address of the control plane, for links in mails and chats. */
  readonly baseUrl: string;
  /** Requests of runtimes to this address are governed. */
  readonly gatewayUrl: string;
  readonly mail: MailSettings;
  /** Undefined without automatic exchange rates. */
  readonly exchangeRates: (RateProviderSettings & { readonly refreshSeconds: number }) | undefined;
  readonly passportLifetimeDays: number;
  /** Time for an agent to report the outcome of an action that it executes itself. */
  readonly reportWithinSeconds: number;
  /** Hosts of notification channels in addition to Slack's. */
  readonly notificationHosts: readonly string[];
  readonly anchors: AnchorSettings;
  /** URLs of sinks. Secrets. */
  readonly sinks: readonly string[];
  /** Listen address of metrics and health; undefined for none. */
  readonly metrics: MetricsAddress | undefined;
};

const MAIL_MISSING =
  'SMTP_URL and SVC_MAIL are not set. A worker that runs jobs sends the mails: set both as for the control plane, or set SVC_WORKER_RUNS=feed.';
const SERVER_MISSING = 'SVC_MAIL is "smtp", but SMTP_URL is not set. Set it to the mail server, as for the control plane.';

/** Returns faults that would send mails elsewhere than the control plane announces, and count them as sent. */
const mailFaults = (env: Env): readonly string[] => {
  const read = (name: 'SVC_WORKER_RUNS' | 'SVC_MAIL' | 'SMTP_URL') => readSetting(name, env, 'worker');
  if (read('SVC_WORKER_RUNS').value === 'feed' || read('SMTP_URL').isGiven) return [];
  if (!read('SVC_MAIL').isGiven) return [MAIL_MISSING];
  return read('SVC_MAIL').value === 'smtp' ? [SERVER_MISSING] : [];
};

const readExchangeRates = (read: SettingsReader): WorkerSettings['exchangeRates'] => {
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

/** Settings before the installation key is unwrapped. */
export type GivenWorkerSettings = Omit<WorkerSettings, 'masterKey'> & { readonly given: GivenKey };

/** Reads the whole environment once, and returns all faults together. */
export const readWorkerSettings = (env: Env): GivenWorkerSettings | { readonly faults: readonly string[] } => {
  const read = readSettings(env, 'worker');
  const { databaseUrl, given, faults } = readRequired(read, env);
  const together = [...faults, ...findAnchorFaults(read), ...findSinkFaults(read), ...mailFaults(env)];
  if (together.length > 0 || given === undefined || databaseUrl === undefined) return { faults: together };
  return {
    databaseUrl,
    given,
    databaseTimeoutMs: read.integer('SVC_DATABASE_TIMEOUT_MS'),
    clockSkewMaxSeconds: read.integer(SETTINGS.clockSkewMaxSeconds),
    logLevel: read.word('LOG_LEVEL'),
    log: readLog(read),
    egress: {
      allowRealEgress: read.flag('GATEWAY_ALLOW_REAL_EGRESS'),
      allowCidrs: read.list(SETTINGS.egressAllowedCidrs),
      nameServers: read.list(SETTINGS.egressNameServers),
    },
    runs: read.word('SVC_WORKER_RUNS'),
    credentialsOverHttp: read.flag('SVC_CREDENTIALS_OVER_HTTP'),
    baseUrl: read.text('SVC_BASE_URL') ?? buildReachableUrl(read.text(SETTINGS.host), read.integer(SETTINGS.controlPlanePort)),
    gatewayUrl: read.text('SVC_GATEWAY_URL') ?? 'http://127.0.0.1:4100',
    mail: { kind: read.word('SVC_MAIL'), smtpUrl: read.text('SMTP_URL'), from: read.text('SVC_MAIL_FROM') },
    exchangeRates: readExchangeRates(read),
    passportLifetimeDays: read.integer('SVC_PASSPORT_DAYS'),
    reportWithinSeconds: read.integer(SETTINGS.reportWithinSeconds),
    notificationHosts: read.list('SVC_NOTIFICATION_HOSTS'),
    anchors: readAnchorSettings(read),
    sinks: readSinks(read),
    metrics: readMetricsSetting(read.text('SVC_WORKER_METRICS')),
  };
};
