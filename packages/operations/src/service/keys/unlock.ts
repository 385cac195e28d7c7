import type { KeyObject } from 'node:crypto';
import { isMissingObject, isRefusedLogin } from '@svc/postgres/connection/is-unavailable.ts';
import { type KeptKeys, readKeptKeys } from '@svc/postgres/migrate/installation-keys.ts';
import { KeyFault } from '@svc/program/keys/key-fault.ts';
import type { GivenKey } from '@svc/program/keys/master-key.ts';
import { refuseForDatabase, refuseToStart } from '@svc/program/start/refuse-to-start.ts';
import { openInstallationKey } from './open-installation-key.ts';

const namesSomebody = (databaseUrl: string): boolean => {
  const url = new URL(databaseUrl.replace('@/', '@localhost/'));
  return url.username !== '' || url.searchParams.has('user');
};

const DIRECT: KeptKeys = { state: 'direct', keys: [], installation: undefined };

const unlock = async (given: GivenKey, databaseUrl: string): Promise<KeyObject> => {
  if (given.kind === 'INSTALLATION') return given.key;
  if (namesSomebody(databaseUrl)) return (await openInstallationKey(await readKeptKeys(databaseUrl), given)).key;
  if (given.kind === 'KEY') return (await openInstallationKey(DIRECT, given)).key;
  throw new KeyFault(
    'A plane that is not started by npm start reads the wrapped key of the installation with the login of DATABASE_URL: name there the owner, or a login that may read installation_keys and installation.',
  );
};

/**
 * Returns the settings of a plane with the installation key. The launcher passes it to planes that it starts; otherwise it is read with the
 * login in DATABASE_URL, and unwrapped. Exits with a message if the key is wrong or may not be read; throws if the database does not
 * respond.
 */
export const withInstallationKey = async <Settings extends { readonly given: GivenKey; readonly databaseUrl: string }>(
  settings: Settings,
): Promise<Omit<Settings, 'given'> & { readonly masterKey: KeyObject }> => {
  const { given, ...others } = settings;
  try {
    return { ...others, masterKey: await unlock(given, settings.databaseUrl) };
  } catch (error) {
    if (error instanceof KeyFault) throw refuseToStart([error.message]);
    if (!isRefusedLogin(error) && !isMissingObject(error)) throw error;
    throw refuseForDatabase(
      `The wrapped key of the installation could not be read (${error instanceof Error ? error.message : String(error)}): name in DATABASE_URL a login that may read installation_keys and installation. If its password is being changed right now, start again when that is done.`,
    );
  }
};
