import type { KeyObject } from 'node:crypto';
import { LIMITS, SETTINGS } from '@svc/contract/tables/limits.ts';
import { networkFault } from '@svc/egress/names/address-rules.ts';
import { nameServerFault } from '@svc/egress/names/name-server-fault.ts';
import type { ServeDeps } from '@svc/http/calls/serve-deps.ts';
import { readMasterKey } from '@svc/keyring/sealed/master-key.ts';
import { LOG_LEVELS, type LogPlace } from '@svc/program/log/new-logger.ts';
import { type MetricsAddress, readMetricsAddress } from '@svc/program/metrics/serve-metrics.ts';
import { inProportion } from '@svc/program/settings/in-proportion.ts';
import { type Env, readSettings, type SettingsReader } from '@svc/program/settings/read-settings.ts';
import { refuseToStart } from '@svc/program/start/refuse-to-start.ts';

export type GatewaySettings = {
  readonly host: string;
  readonly port: number;
  readonly databaseUrl: string;
  readonly databaseTimeoutMs: number;
  readonly connectionsMax: number;
  /** How far the clock of this process and the database's may be apart. */
  readonly clockSkewMaxSeconds: number;
  readonly redisUrl: string | undefined;
  readonly masterKey: KeyObject;
  readonly logLevel: string;
  readonly log: LogPlace;
  readonly trustProxy: boolean;
  /** Public address, which is also the audience agents sign for; where the plane listens when it is not set. */
  readonly gatewayUrl: string | undefined;
  /** Public address of the control plane, to which the pages of this one lead. */
  readonly baseUrl: string | undefined;
  readonly agentTokenLifetimeSeconds: number;
  readonly assertionWindowSeconds: number;
  readonly realEgress: boolean;
  readonly egressAllowedCidrs: readonly string[];
  readonly egressTimeoutMs: number;
  /** Which name servers are asked; those of the system when there are none. */
  readonly nameServers: readonly string[];
  readonly sandboxOrigin: string | undefined;
  /** Where metrics are told; nowhere when it is not set. */
  readonly metrics: MetricsAddress | undefined;
  readonly rates: { readonly [Name in keyof typeof LIMITS.rates]: number };
  readonly connections: ServeDeps['connections'];
};

const RATE_MAX = 100_000_000;

const readRates = (read: SettingsReader): GatewaySettings['rates'] => {
  const { rates } = LIMITS;
  const gatewayTokenPerMinute = read.integer('SVC_RATE_GATEWAY_TOKEN_PER_MINUTE', rates.gatewayTokenPerMinute, 1, 10_000_000);
  const gatewayActionsPerMinute = read.integer('SVC_RATE_GATEWAY_ACTIONS_PER_MINUTE', rates.gatewayActionsPerMinute, 1, RATE_MAX);
  const ofAddress = inProportion(rates.addressPerMinute, gatewayTokenPerMinute / rates.gatewayTokenPerMinute, RATE_MAX);
  const ofOrganization = inProportion(
    rates.organizationActionsPerMinute,
    gatewayActionsPerMinute / rates.gatewayActionsPerMinute,
    RATE_MAX,
  );
  return {
    ...rates,
    gatewayTokenPerMinute,
    gatewayActionsPerMinute,
    addressPerMinute: read.integer('SVC_RATE_ADDRESS_PER_MINUTE', ofAddress, 1, RATE_MAX),
    organizationActionsPerMinute: read.integer('SVC_RATE_ORGANIZATION_ACTIONS_PER_MINUTE', ofOrganization, 1, RATE_MAX),
  };
};

const MIB = 1_048_576;

const readLog = (read: SettingsReader): LogPlace => ({
  file: read.optional('SVC_LOG_FILE'),
  fileBytesMax: read.integer('SVC_LOG_FILE_MIB', LIMITS.logs.fileBytesMax / MIB, 1, 10_240) * MIB,
  filesMax: read.integer('SVC_LOG_FILES', LIMITS.logs.filesMax, 1, 100),
});

const readConnections = (read: SettingsReader): GatewaySettings['connections'] => ({
  totalMax: read.integer('SVC_CONNECTIONS', LIMITS.connections.totalMax, 16, 100_000),
  perAddressMax: read.integer('SVC_CONNECTIONS_PER_ADDRESS', LIMITS.connections.perAddressMax, 8, 100_000),
});

const readMetrics = (read: SettingsReader): MetricsAddress | undefined => {
  const given = read.optional(SETTINGS.gatewayMetrics);
  const address = given === undefined ? undefined : readMetricsAddress(given);
  if (given !== undefined && address === undefined)
    read.fault(`${SETTINGS.gatewayMetrics} is "${given}", but must be an address to listen on, such as 127.0.0.1:9464.`);
  return address;
};

/** Reads the whole environment once; every fault is told together. */
export const readGatewaySettings = (env: Env): GatewaySettings | { readonly faults: readonly string[] } => {
  const read = readSettings(env);
  const databaseUrl = read.optional(SETTINGS.databaseUrl);
  if (!databaseUrl)
    read.fault(`${SETTINGS.databaseUrl} is not set; \`npm start\` sets it, otherwise give the address of a PostgreSQL database.`);
  const masterKey = readMasterKey(read.text(SETTINGS.masterKey, ''));
  if (!masterKey.ok) read.fault(`${SETTINGS.masterKey}: ${masterKey.reason}`);
  const egressAllowedCidrs = read.list(SETTINGS.egressAllowedCidrs);
  for (const fault of egressAllowedCidrs.map(networkFault))
    if (fault !== undefined) read.fault(`${SETTINGS.egressAllowedCidrs}: ${fault}.`);
  const nameServers = read.list(SETTINGS.egressNameServers);
  for (const fault of nameServers.map(nameServerFault)) if (fault !== undefined) read.fault(`${SETTINGS.egressNameServers}: ${fault}.`);
  const settings = {
    host: read.text(SETTINGS.host, '127.0.0.1'),
    port: read.integer(SETTINGS.gatewayPort, 4100, 0, 65_535),
    databaseTimeoutMs: read.integer('SVC_DATABASE_TIMEOUT_MS', 5_000, 500, 60_000),
    connectionsMax: read.integer('SVC_DATABASE_CONNECTIONS', 8, 1, 100),
    clockSkewMaxSeconds: read.integer(SETTINGS.clockSkewMaxSeconds, LIMITS.clock.skewMaxSeconds, 1, 604_800),
    redisUrl: read.address(SETTINGS.redisUrl),
    logLevel: read.word('LOG_LEVEL', 'info', LOG_LEVELS),
    log: readLog(read),
    trustProxy: read.flag('SVC_TRUST_PROXY', false),
    gatewayUrl: read.publicAddress('SVC_GATEWAY_URL'),
    baseUrl: read.publicAddress('SVC_BASE_URL'),
    agentTokenLifetimeSeconds: read.integer(SETTINGS.agentTokenLifetimeSeconds, LIMITS.agentTokens.lifetimeSeconds, 30, 86_400),
    assertionWindowSeconds: read.integer(
      SETTINGS.assertionWindowSeconds,
      LIMITS.assertions.windowSeconds,
      1,
      LIMITS.assertions.windowSecondsMax,
    ),
    realEgress: read.flag(SETTINGS.realEgress, false),
    egressAllowedCidrs,
    egressTimeoutMs: read.integer('SVC_EGRESS_TIMEOUT_MS', LIMITS.egress.timeoutMs, 100, 120_000),
    nameServers,
    sandboxOrigin: read.address('SVC_SANDBOX_ORIGIN'),
    metrics: readMetrics(read),
    rates: readRates(read),
    connections: readConnections(read),
  };
  if (read.faults.length > 0 || !masterKey.ok || !databaseUrl) return { faults: read.faults };
  return { ...settings, databaseUrl, masterKey: masterKey.key };
};

/** Run by itself, this file tells what is wrong with the settings and starts nothing. */
if (import.meta.main) {
  const settings = readGatewaySettings(process.env);
  if ('faults' in settings) refuseToStart(settings.faults);
}
