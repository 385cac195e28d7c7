import { existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { masterKeyId } from '@svc/keyring/sealed/installation-key.ts';
import { readMasterKey } from '@svc/keyring/sealed/master-key.ts';
import type { MasterKey } from '@svc/program/keys/master-key.ts';
import { readKeyFile } from '@svc/program/keys/read-key-file.ts';
import { getMasterKeyPath, makeKeyFile, syncFolder } from '../../data-folder/master-key.ts';
import { LaunchFault } from '../../faults/launch-fault.ts';
import type { LauncherSettings } from '../../settings/settings.ts';

/** Reads the key in a file; undefined if there is none. Throws a LaunchFault for an invalid one, or one that others can read. */
const findKey = (file: string): MasterKey | undefined => {
  const read = readKeyFile(file);
  if (read === undefined) return undefined;
  if ('fault' in read) throw new LaunchFault(read.fault);
  const key = readMasterKey(read.text);
  if (!key.ok) throw new LaunchFault(`${file}: ${key.reason}`);
  return { kind: 'KEY', key: key.key };
};

/** Reads a key from a file, which is created if it is missing. */
export const provideKeyFile = (file: string): MasterKey => {
  if (!existsSync(path.dirname(file)))
    throw new LaunchFault(`The folder ${path.dirname(file)} does not exist. Create it, accessible only to the account of the service.`);
  const found = findKey(file);
  if (found !== undefined) return found;
  makeKeyFile(file);
  return findKey(file) ?? provideKeyFile(file);
};

/** Returns the file of the current master key. Throws a LaunchFault if it is in none: then only the operator can replace it. */
export const getMasterKeyFile = ({ masterKey, masterKeyFile: named, dataDir }: LauncherSettings): string => {
  if (named !== undefined) return path.resolve(named);
  if (masterKey === undefined) return getMasterKeyPath(dataDir);
  throw new LaunchFault(
    `The present master key is ${masterKey.kind === 'KEY' ? 'in SVC_MASTER_KEY' : 'with the command of SVC_MASTER_KEY_COMMAND'}, where this cannot put another: name the place of the new one with --to-file or --to-command, and start with that from then on.`,
  );
};

/** Returns the path of a new key until it replaces the current one. */
export const getNextKeyPath = (file: string): string => `${file}.next`;

const isSame = (one: MasterKey | undefined, other: MasterKey): boolean =>
  one?.kind === 'KEY' && other.kind === 'KEY' && masterKeyId(one.key) === masterKeyId(other.key);

/** Replaces the current key with the next one atomically; already done if another run was first. */
export const takePlace = (file: string, next: MasterKey): void => {
  if (isSame(findKey(file), next)) return;
  if (!isSame(findKey(getNextKeyPath(file)), next))
    throw new LaunchFault(`${getNextKeyPath(file)} was changed in the meantime, and nothing was replaced. Run the command again.`);
  renameSync(getNextKeyPath(file), file);
  syncFolder(path.dirname(file));
};

/** Removes a retired next key that never replaced the current one. Returns its file; undefined if there was none. */
export const dropNext = (settings: LauncherSettings, retired: readonly string[]): string | undefined => {
  if (settings.masterKey !== undefined && settings.masterKeyFile === undefined) return undefined;
  const next = getNextKeyPath(getMasterKeyFile(settings));
  const key = findKey(next);
  if (key?.kind !== 'KEY' || !retired.includes(masterKeyId(key.key))) return undefined;
  rmSync(next);
  syncFolder(path.dirname(next));
  return next;
};
