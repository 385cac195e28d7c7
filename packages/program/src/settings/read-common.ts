import { SETTINGS } from '@svc/contract/tables/limits.ts';
import type { GivenKey } from '../keys/master-key.ts';
import type { LogPlace } from '../log/new-logger.ts';
import { readGivenKey } from './read-master-key.ts';
import type { Env } from './read-setting.ts';
import type { SettingsReader } from './read-settings.ts';

const MIB = 1_048_576;

/** Returns the log destination of a plane. */
export const readLog = (read: SettingsReader): LogPlace => ({
  file: read.text('SVC_LOG_FILE'),
  fileBytesMax: read.integer('SVC_LOG_FILE_MIB') * MIB,
  filesMax: read.integer('SVC_LOG_FILES'),
});

/** Returns the connection-pool size of a plane. */
export const readConnections = (read: SettingsReader): { readonly totalMax: number; readonly perAddressMax: number } => ({
  totalMax: read.integer('SVC_CONNECTIONS'),
  perAddressMax: read.integer('SVC_CONNECTIONS_PER_ADDRESS'),
});

type Required = {
  readonly databaseUrl: string | undefined;
  readonly given: GivenKey | undefined;
  /** Faults of all settings of the plane, these included. */
  readonly faults: readonly string[];
};

/** Reads the settings that every plane requires, and all faults of its settings. */
export const readRequired = (read: SettingsReader, env: Env): Required => {
  const databaseUrl = read.text(SETTINGS.databaseUrl);
  const missing = `${SETTINGS.databaseUrl} is not set. Use \`npm start\`, which sets it, or set it to the address of a PostgreSQL database.`;
  const key = readGivenKey(read, env);
  const faults = [...read.faults, ...('fault' in key ? [key.fault] : []), ...(databaseUrl === undefined ? [missing] : [])];
  // An invalid key is reported once, however many checks find it.
  return { databaseUrl, given: 'given' in key ? key.given : undefined, faults: [...new Set(faults)] };
};
