import type { KeyObject } from 'node:crypto';
import { LIMITS, SETTINGS } from '@svc/contract/tables/limits.ts';
import type { ServeDeps } from '@svc/http/calls/serve-deps.ts';
import type { GivenKey } from '@svc/program/keys/master-key.ts';
import type { LogPlace } from '@svc/program/log/new-logger.ts';
import { readMetricsSetting } from '@svc/program/metrics/read-metrics-setting.ts';
import type { MetricsAddress } from '@svc/program/metrics/serve-metrics.ts';
import { readConnections, readLog, readRequired } from '@svc/program/settings/read-common.ts';
import type { Env } from '@svc/program/settings/read-setting.ts';
import { readSettings, type SettingsReader } from '@svc/program/settings/read-settings.ts';
import { readTracingSettings, type TracingSettings } from '@svc/program/tracing/read-tracing-settings.ts';

export type GatewaySettings = {
  readonly host: string;
  readonly port: number;
  readonly databaseUrl: string;
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
  /** Public address, which is also the audience that agents sign for; the listening address if it is not set. */
  readonly gatewayUrl: string | undefined;
  /** Public address of the control plane, for links. */
  readonly baseUrl: string | undefined;
  readonly agentTokenLifetimeSeconds: number;
  readonly assertionWindowSeconds: number;
  readonly realEgress: boolean;
  /** True if credentials may be sent without TLS within private networks. */
  readonly credentialsOverHttp: boolean;
  readonly egressAllowedCidrs: readonly string[];
  readonly egressTimeoutMs: number;
  /** Name servers; those of the system if there are none. */
  readonly nameServers: readonly string[];
  readonly sandboxOrigin: string | undefined;
  /** Address of the metrics endpoint; undefined if there is none. */
  readonly metrics: MetricsAddress | undefined;
  /** Undefined if tracing is off. */
  readonly tracing: TracingSettings | undefined;
  readonly rates: { readonly [Name in keyof typeof LIMITS.rates]: number };
  readonly connections: ServeDeps['connections'];
};

const readRates = (read: SettingsReader): GatewaySettings['rates'] => ({
  ...LIMITS.rates,
  gatewayTokenPerMinute: read.integer('SVC_RATE_GATEWAY_TOKEN_PER_MINUTE'),
  gatewayActionsPerMinute: read.integer('SVC_RATE_GATEWAY_ACTIONS_PER_MINUTE'),
  addressPerMinute: read.integer('SVC_RATE_ADDRESS_PER_MINUTE'),
  organizationActionsPerMinute: read.integer('SVC_RATE_ORGANIZATION_ACTIONS_PER_MINUTE'),
  organizationKibPerMinute: read.integer('SVC_RATE_ORGANIZATION_KIB_PER_MINUTE'),
});

/** Settings as read: the installation key is not unwrapped yet. */
export type GivenGatewaySettings = Omit<GatewaySettings, 'masterKey'> & { readonly given: GivenKey };

/** Reads the whole environment once; reports every fault together. */
export const readGatewaySettings = (env: Env): GivenGatewaySettings | { readonly faults: readonly string[] } => {
  const read = readSettings(env, 'gateway');
  const { databaseUrl, given, faults } = readRequired(read, env);
  if (faults.length > 0 || given === undefined || databaseUrl === undefined) return { faults };
  return {
    databaseUrl,
    given,
    host: read.text(SETTINGS.host),
    port: read.integer(SETTINGS.gatewayPort),
    databaseTimeoutMs: read.integer('SVC_DATABASE_TIMEOUT_MS'),
    connectionsMax: read.integer('SVC_DATABASE_CONNECTIONS'),
    clockSkewMaxSeconds: read.integer(SETTINGS.clockSkewMaxSeconds),
    redisUrl: read.text(SETTINGS.redisUrl),
    logLevel: read.word('LOG_LEVEL'),
    log: readLog(read),
    trustProxy: read.flag('SVC_TRUST_PROXY'),
    gatewayUrl: read.text('SVC_GATEWAY_URL'),
    baseUrl: read.text('SVC_BASE_URL'),
    agentTokenLifetimeSeconds: read.integer(SETTINGS.agentTokenLifetimeSeconds),
    assertionWindowSeconds: read.integer(SETTINGS.assertionWindowSeconds),
    realEgress: read.flag(SETTINGS.realEgress),
    credentialsOverHttp: read.flag('SVC_CREDENTIALS_OVER_HTTP'),
    egressAllowedCidrs: read.list(SETTINGS.egressAllowedCidrs),
    egressTimeoutMs: read.integer('SVC_EGRESS_TIMEOUT_MS'),
    nameServers: read.list(SETTINGS.egressNameServers),
    sandboxOrigin: read.text('SVC_SANDBOX_ORIGIN'),
    metrics: readMetricsSetting(read.text(SETTINGS.gatewayMetrics)),
    tracing: readTracingSettings(read, 'svc-gateway'),
    rates: readRates(read),
    connections: readConnections(read),
  };
};
