import type { KeyObject } from 'node:crypto';
import { SETTINGS } from '@svc/contract/tables/limits.ts';
import type { GivenKey } from '@svc/program/keys/master-key.ts';
import type { LogPlace } from '@svc/program/log/new-logger.ts';
import { readMetricsSetting } from '@svc/program/metrics/read-metrics-setting.ts';
import type { MetricsAddress } from '@svc/program/metrics/serve-metrics.ts';
import { readLog, readRequired } from '@svc/program/settings/read-common.ts';
import type { Env } from '@svc/program/settings/read-setting.ts';
import { readSettings } from '@svc/program/settings/read-settings.ts';
import { type AnchorSettings, anchorFaults, readAnchorSettings } from './settings/anchor-settings.ts';

export type WorkerSettings = {
  readonly databaseUrl: string;
  readonly databaseTimeoutMs: number;
  /** How far the clock of this process and the database's may be apart. */
  readonly clockSkewMaxSeconds: number;
  /** What every other key is derived from: the key of the installation. */
  readonly masterKey: KeyObject;
  readonly logLevel: string;
  readonly log: LogPlace;
  /** How receivers of webhooks are reached, and whether they are at all. */
  readonly egress: { readonly allowRealEgress: boolean; readonly allowCidrs: readonly string[]; readonly nameServers: readonly string[] };
  /** Besides Slack's, where channels of notifications may lead. */
  readonly notificationHosts: readonly string[];
  readonly anchors: AnchorSettings;
  /** Where metrics and health are told; nowhere when it is not set. */
  readonly metrics: MetricsAddress | undefined;
};

/** As they are read: the key of the installation is not unwrapped yet. */
export type GivenWorkerSettings = Omit<WorkerSettings, 'masterKey'> & { readonly given: GivenKey };

/** Reads the whole environment once; every fault is told together. */
export const readWorkerSettings = (env: Env): GivenWorkerSettings | { readonly faults: readonly string[] } => {
  const read = readSettings(env, 'worker');
  const { databaseUrl, given, faults } = readRequired(read, env);
  const together = [...faults, ...anchorFaults(read)];
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
    notificationHosts: read.list('SVC_NOTIFICATION_HOSTS'),
    anchors: readAnchorSettings(read),
    metrics: readMetricsSetting(read.text('SVC_WORKER_METRICS')),
  };
};
