import { listMisnamedSettings } from '@svc/contract/tables/misnamed-settings.ts';
import type { Logger } from 'pino';
import type { ServeDeps } from '../calls/serve-deps.ts';
import { API_VERSION } from '../documents/version.ts';

/** Settings of a plane that an operator needs most; none of them is a secret. */
type Told = {
  readonly logLevel: string;
  readonly redisUrl: string | undefined;
  readonly trustProxy: boolean;
  readonly connectionsMax: number;
  readonly databaseTimeoutMs: number;
  readonly connections: ServeDeps['connections'];
  readonly rates: ServeDeps['rates'];
};

/** Logs the first line of a plane, then one for each name in its environment that is probably a misspelled setting. */
export const logStart = (log: Logger, url: string, told: Told, more: Readonly<Record<string, unknown>>, names: readonly string[]): void => {
  const { rates } = told;
  const settings = {
    log_level: told.logLevel,
    redis: told.redisUrl !== undefined,
    trust_proxy: told.trustProxy,
    database_connections: told.connectionsMax,
    database_timeout_ms: told.databaseTimeoutMs,
    connections: told.connections.totalMax,
    connections_per_address: told.connections.perAddressMax,
    // A name with "token" in it would have its number masked.
    rates_per_minute: {
      sign_ins: rates.loginPerMinute,
      control_plane: rates.controlPlanePerMinute,
      agent_sign_ins: rates.gatewayTokenPerMinute,
      agent_actions: rates.gatewayActionsPerMinute,
      address: rates.addressPerMinute,
      organization: rates.organizationPerMinute,
      organization_actions: rates.organizationActionsPerMinute,
      organization_kib: rates.organizationKibPerMinute,
    },
    ...more,
  };
  log.info({ version: API_VERSION, node: process.version, pid: process.pid, url, port: Number(new URL(url).port), settings }, 'started');
  for (const sentence of listMisnamedSettings(names)) log.warn(sentence);
};
