import type { KeyObject } from 'node:crypto';
import { LIMITS, SETTINGS } from '@svc/contract/tables/limits.ts';
import { networkFault } from '@svc/egress/names/address-rules.ts';
import { nameServerFault } from '@svc/egress/names/name-server-fault.ts';
import type { ServeDeps } from '@svc/http/calls/serve-deps.ts';
import { readMasterKey } from '@svc/keyring/sealed/master-key.ts';
import { LOG_LEVELS, type LogPlace } from '@svc/program/log/new-logger.ts';
import { inProportion } from '@svc/program/settings/in-proportion.ts';
import { type Env, readSettings, type SettingsReader } from '@svc/program/settings/read-settings.ts';
import { refuseToStart } from '@svc/program/start/refuse-to-start.ts';
import { providerUrlFault, type RateProviderSettings } from './money/fx-rates/provider/new-rate-provider.ts';

/** `invited`: nobody founds an organization, and people join one by invitation. */
const SIGNUPS = ['closed', 'invited', 'open'] as const;
type Signup = (typeof SIGNUPS)[number];

export type ControlSettings = {
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
  /** Public address; where the plane listens when it is not set. */
  readonly baseUrl: string | undefined;
  readonly gatewayUrl: string;
  readonly sessionLifetimeSeconds: number;
  readonly sessionIdleTimeoutSeconds: number;
  readonly stepUpLifetimeSeconds: number;
  readonly loginAttemptsMax: number;
  readonly lockoutSeconds: number;
  readonly passportLifetimeDays: number;
  /** How long an agent may take to report how what it executed itself went. */
  readonly reportWithinSeconds: number;
  /** Who may found an organization once there is one. */
  readonly signup: Signup;
  /** Undefined when automatic rates are not wanted. */
  readonly exchangeRateProvider: (RateProviderSettings & { readonly refreshSeconds: number }) | undefined;
  readonly rates: { readonly [Name in keyof typeof LIMITS.rates]: number };
  readonly connections: ServeDeps['connections'];
};

/** Where automatic rates come from, and how often; undefined when no provider is named. */
const readProvider = (read: SettingsReader): ControlSettings['exchangeRateProvider'] => {
  const url = read.optional(SETTINGS.exchangeRateProviderUrl);
  const refreshSeconds = read.integer(SETTINGS.exchangeRateRefreshSeconds, LIMITS.exchangeRates.refreshSeconds, 1, 604_800);
  const timeoutMs = read.integer('SVC_EGRESS_TIMEOUT_MS', LIMITS.egress.timeoutMs, 100, 120_000);
  if (url === undefined) return undefined;
  const fault = providerUrlFault(url);
  if (fault !== undefined) read.fault(`${SETTINGS.exchangeRateProviderUrl} ${fault}`);
  const allowCidrs = read.list(SETTINGS.egressAllowedCidrs);
  for (const wrong of allowCidrs.map(networkFault)) if (wrong !== undefined) read.fault(`${SETTINGS.egressAllowedCidrs}: ${wrong}.`);
  const nameServers = read.list(SETTINGS.egressNameServers);
  for (const wrong of nameServers.map(nameServerFault)) if (wrong !== undefined) read.fault(`${SETTINGS.egressNameServers}: ${wrong}.`);
  return { url, refreshSeconds, timeoutMs, allowCidrs, nameServers };
};

const YEAR_SECONDS = 31_536_000;

const RATE_MAX = 100_000_000;

const readRates = (read: SettingsReader): ControlSettings['rates'] => {
  const { rates } = LIMITS;
  const controlPlanePerMinute = read.integer('SVC_RATE_CONTROL_PLANE_PER_MINUTE', rates.controlPlanePerMinute, 1, 10_000_000);
  const raised = controlPlanePerMinute / rates.controlPlanePerMinute;
  const ofAddress = inProportion(rates.addressPerMinute, raised, RATE_MAX);
  const ofOrganization = inProportion(rates.organizationPerMinute, raised, RATE_MAX);
  return {
    ...rates,
    loginPerMinute: read.integer('SVC_RATE_LOGIN_PER_MINUTE', rates.loginPerMinute, 1, 1_000_000),
    controlPlanePerMinute,
    addressPerMinute: read.integer('SVC_RATE_ADDRESS_PER_MINUTE', ofAddress, 1, RATE_MAX),
    organizationPerMinute: read.integer('SVC_RATE_ORGANIZATION_PER_MINUTE', ofOrganization, 1, RATE_MAX),
  };
};

const MIB = 1_048_576;

const readLog = (read: SettingsReader): LogPlace => ({
  file: read.optional('SVC_LOG_FILE'),
  fileBytesMax: read.integer('SVC_LOG_FILE_MIB', LIMITS.logs.fileBytesMax / MIB, 1, 10_240) * MIB,
  filesMax: read.integer('SVC_LOG_FILES', LIMITS.logs.filesMax, 1, 100),
});

const readConnections = (read: SettingsReader): ControlSettings['connections'] => ({
  totalMax: read.integer('SVC_CONNECTIONS', LIMITS.connections.totalMax, 16, 100_000),
  perAddressMax: read.integer('SVC_CONNECTIONS_PER_ADDRESS', LIMITS.connections.perAddressMax, 8, 100_000),
});

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i;

type Reach = { readonly host: string; readonly baseUrl: string | undefined; readonly trustProxy: boolean };

/** Where strangers can reach the plane, directly or through what stands before it, nobody signs up unless that was decided. */
const readSignup = (read: SettingsReader, { host, baseUrl, trustProxy }: Reach): Signup => {
  const isLocal = LOOPBACK.test(host) && !trustProxy && (baseUrl === undefined || LOOPBACK.test(new URL(baseUrl).hostname));
  return read.word(SETTINGS.signup, isLocal ? 'open' : 'closed', SIGNUPS) as Signup;
};

/** Reads the whole environment once; every fault is told together. */
export const readControlSettings = (env: Env): ControlSettings | { readonly faults: readonly string[] } => {
  const read = readSettings(env);
  const databaseUrl = read.optional(SETTINGS.databaseUrl);
  if (!databaseUrl)
    read.fault(`${SETTINGS.databaseUrl} is not set; \`npm start\` sets it, otherwise give the address of a PostgreSQL database.`);
  const masterKey = readMasterKey(read.text(SETTINGS.masterKey, ''));
  if (!masterKey.ok) read.fault(`${SETTINGS.masterKey}: ${masterKey.reason}`);
  const { sessions, outcomes } = LIMITS;
  const reach: Reach = {
    host: read.text(SETTINGS.host, '127.0.0.1'),
    baseUrl: read.publicAddress('SVC_BASE_URL'),
    trustProxy: read.flag('SVC_TRUST_PROXY', false),
  };
  const settings = {
    ...reach,
    port: read.integer(SETTINGS.controlPlanePort, 4000, 0, 65_535),
    databaseTimeoutMs: read.integer('SVC_DATABASE_TIMEOUT_MS', 5_000, 500, 60_000),
    connectionsMax: read.integer('SVC_DATABASE_CONNECTIONS', 8, 1, 100),
    clockSkewMaxSeconds: read.integer(SETTINGS.clockSkewMaxSeconds, LIMITS.clock.skewMaxSeconds, 1, 604_800),
    redisUrl: read.address(SETTINGS.redisUrl),
    logLevel: read.word('LOG_LEVEL', 'info', LOG_LEVELS),
    log: readLog(read),
    gatewayUrl: read.publicAddress('SVC_GATEWAY_URL') ?? 'http://127.0.0.1:4100',
    sessionLifetimeSeconds: read.integer(SETTINGS.sessionLifetimeSeconds, sessions.lifetimeSeconds, 60, YEAR_SECONDS),
    sessionIdleTimeoutSeconds: read.integer(SETTINGS.sessionIdleTimeoutSeconds, sessions.idleTimeoutSeconds, 60, YEAR_SECONDS),
    stepUpLifetimeSeconds: read.integer(SETTINGS.stepUpLifetimeSeconds, sessions.stepUpLifetimeSeconds, 10, 86_400),
    loginAttemptsMax: read.integer(SETTINGS.loginAttemptsMax, sessions.loginAttemptsMax, 1, 1_000),
    lockoutSeconds: read.integer(SETTINGS.lockoutSeconds, sessions.lockoutSeconds, 1, 86_400),
    exchangeRateProvider: readProvider(read),
    reportWithinSeconds: read.integer(
      SETTINGS.reportWithinSeconds,
      outcomes.reportWithinSeconds,
      outcomes.reportWithinSecondsMin,
      outcomes.reportWithinSecondsMax,
    ),
    passportLifetimeDays: read.integer('SVC_PASSPORT_DAYS', LIMITS.passports.lifetimeDays, 1, 3_650),
    signup: readSignup(read, reach),
    rates: readRates(read),
    connections: readConnections(read),
  };
  if (read.faults.length > 0 || !masterKey.ok || !databaseUrl) return { faults: read.faults };
  return { ...settings, databaseUrl, masterKey: masterKey.key };
};

/** Run by itself, this file tells what is wrong with the settings and starts nothing. */
if (import.meta.main) {
  const settings = readControlSettings(process.env);
  if ('faults' in settings) refuseToStart(settings.faults);
}
