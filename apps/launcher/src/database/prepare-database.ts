import type { KeyObject } from 'node:crypto';
import { startDatabaseServer } from '@svc/database-server/start-database-server.ts';
import { newEventAuthenticator } from '@svc/keyring/log/event-authenticator.ts';
import { deriveInstallation } from '@svc/keyring/sealed/installation.ts';
import { INSTALLATION_KEY_BYTES } from '@svc/keyring/sealed/master-key.ts';
import { newBindCredential } from '@svc/operations/service/keys/bind-credential.ts';
import { giveOwnKey } from '@svc/operations/service/keys/give-own-key.ts';
import { HOLDS_FORMER } from '@svc/operations/service/keys/holds-former.ts';
import { openInstallationKey } from '@svc/operations/service/keys/open-installation-key.ts';
import { withCheckedCertificate } from '@svc/postgres/connection/connect.ts';
import { isOutage, isTlsFault } from '@svc/postgres/connection/is-unavailable.ts';
import { DatabaseServerFault } from '@svc/postgres/migrate/database-server-fault.ts';
import { finishForgetting, type KeptKeys, readKeptKeys } from '@svc/postgres/migrate/installation-keys.ts';
import { isSetUp, migrate } from '@svc/postgres/migrate/migrate.ts';
import { KeyFault } from '@svc/program/keys/key-fault.ts';
import type { MasterKey } from '@svc/program/keys/master-key.ts';
import { createDatabaseOutage, LaunchFault } from '../faults/launch-fault.ts';
import { getOperatorName } from '../operator/operator-name.ts';
import type { Stoppable } from '../stop/stop-in-order.ts';
import { getDatabaseRemedy } from './remedy-for.ts';

export type RunningDatabase = Stoppable & {
  readonly ownerUrl: string;
  /** True for a configured address instead of the embedded database. */
  readonly isOwn: boolean;
};

/** Wraps the database at a configured address, which is not stopped here. */
export const ownDatabase = (databaseUrl: string): RunningDatabase => ({
  name: 'your database',
  ownerUrl: withCheckedCertificate(databaseUrl),
  isOwn: true,
  stop: async () => {},
});

/** Opens the embedded database of the data folder, or the one at a configured address, which is never stopped here. */
export const openDatabase = async (
  dataDir: string,
  databaseUrl: string | undefined,
  log: (line: string) => void,
): Promise<RunningDatabase> => {
  if (databaseUrl !== undefined) return ownDatabase(databaseUrl);
  const server = await startDatabaseServer({ dataDir, log });
  return { name: 'database', ownerUrl: server.ownerUrl, isOwn: false, stop: server.stop };
};

const NOT_ALLOWED = '42501';

/** Reads the stored keys; missing permission is reported by the next step. */
const keptKeys = async (ownerUrl: string): Promise<KeptKeys> => {
  try {
    return await readKeptKeys(ownerUrl);
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === NOT_ALLOWED) return { state: 'direct', keys: [], installation: undefined };
    throw error;
  }
};

export type Prepared = {
  readonly applied: readonly string[];
  /** The id of a newly created platform key; undefined if one was in use. */
  readonly platformKey: string | undefined;
  /** The installation key, from which every other key is derived. */
  readonly key: KeyObject;
};

/** Includes a sentence if files of the database may still contain what a former master key opens. */
export type PreparedToStart = Prepared & { readonly unforgotten: string | undefined };

const UNFORGOTTEN =
  'Files of the database may still hold what a former master key opens, since a change of it was broken off: the next start tries again, and so does npm run ops -- admin rewrap --finish, which waits longer.';

const bringUpToDate = async (ownerUrl: string, master: MasterKey): Promise<Prepared> => {
  const { key, made } = await openInstallationKey(await keptKeys(ownerUrl), master);
  const first = made && { ...made, by: getOperatorName(), reason: 'The first start.' };
  try {
    const brought = await migrate(ownerUrl, deriveInstallation(key), {
      made: first,
      bind: newBindCredential(key),
      authenticator: newEventAuthenticator(key),
    });
    const isDirect = key.symmetricKeySize !== INSTALLATION_KEY_BYTES;
    return { ...brought, key: isDirect ? await giveOwnKey(ownerUrl, key, getOperatorName()) : key };
  } catch (error) {
    // Another start was first with an empty database, and its key counts.
    if (made === undefined || (await keptKeys(ownerUrl)).state !== 'wrapped') throw error;
    return bringUpToDate(ownerUrl, master);
  }
};

/**
 * Updates the schema and the planes' roles, and opens the installation key; an empty database gets one. Completes an interrupted change of
 * the master key, or postpones it if it takes long.
 */
export const migrateDatabase = async (database: RunningDatabase, master: MasterKey): Promise<PreparedToStart> => {
  try {
    const prepared = await bringUpToDate(database.ownerUrl, master);
    const why = await finishForgetting(database.ownerUrl, HOLDS_FORMER);
    return { ...prepared, unforgotten: why && `${UNFORGOTTEN} (${why})` };
  } catch (error) {
    throw getFault(error, database.isOwn);
  }
};

/** True if the database at a configured address was set up before, so that its master key exists somewhere. */
export const wasSetUp = async (databaseUrl: string): Promise<boolean> => {
  try {
    return await isSetUp(withCheckedCertificate(databaseUrl));
  } catch (error) {
    throw getFault(error, true);
  }
};

/** Certificate and TLS errors persist until someone changes the settings, and so does a missing file in the address. */
const isTls = (error: unknown): boolean =>
  /SSL|^ENOENT.* open /.test(getConnectionError(error)) || isTlsFault(String((error as { readonly code?: unknown }).code));

/** Converts any error of the database or the connection to a sentence. */
const getFault = (error: unknown, isOwn: boolean): LaunchFault => {
  if (error instanceof LaunchFault) return error;
  if (error instanceof DatabaseServerFault || error instanceof KeyFault) return new LaunchFault(error.message);
  const why = getConnectionError(error);
  const faultFor = (fault: string): LaunchFault =>
    isOutage(error) && !isTls(error) ? createDatabaseOutage(fault) : new LaunchFault(fault);
  if (!isOwn) return faultFor(`The database could not be brought up to date: ${why}`);
  return faultFor(`The database at DATABASE_URL could not be brought up to date (${why}): ${getDatabaseRemedy(error, why)}.`);
};

/** A name with several addresses fails with one error for each, and no message of its own. */
export const getConnectionError = (error: unknown): string =>
  error instanceof AggregateError && error.message === ''
    ? error.errors.map(getConnectionError).join(', ')
    : error instanceof Error
      ? error.message
      : String(error);

/** Removes the user from a database address: the planes log in with roles of their own. */
export const removeCredentials = (databaseUrl: string): string => {
  const url = new URL(databaseUrl.replace('@/', '@localhost/'));
  url.username = '';
  url.password = '';
  for (const name of ['user', 'password']) url.searchParams.delete(name);
  return url.href;
};
