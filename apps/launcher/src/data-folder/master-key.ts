import { closeSync, fsyncSync, linkSync, openSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { hasErrorCode } from '@svc/database-server/system/system-error.ts';
import { newMasterKey, readMasterKey } from '@svc/keyring/sealed/master-key.ts';
import type { MasterKey } from '@svc/program/keys/master-key.ts';
import { readKeyFile } from '@svc/program/keys/read-key-file.ts';
import { LaunchFault } from '../faults/launch-fault.ts';

export const getMasterKeyPath = (dataDir: string): string => path.join(dataDir, 'master.key');

export type ProvidedMasterKey = { readonly text: string } | { readonly fault: string };

/**
 * Returns the base64 text of the key in the data folder, created at the first start. Never created for a database that was sealed with
 * another key: its content could not be opened any more.
 */
export const provideMasterKey = (dataDir: string, hasDatabase: boolean): ProvidedMasterKey => {
  const file = getMasterKeyPath(dataDir);
  const found = readKeyFile(file);
  if (found === undefined && hasDatabase) {
    return {
      fault: `The master key ${file} is missing, and without it the secrets in this database cannot be opened: restore the file from a backup, or set SVC_MASTER_KEY if the key was given that way.`,
    };
  }
  if (found !== undefined) return found;
  makeKeyFile(file);
  // Two concurrent starts both use the key that got the name.
  return readKeyFile(file) ?? { fault: `The master key ${file} was taken away while it was made: start again.` };
};

/** Returns the same as a master key. Throws a LaunchFault. */
export const parseMasterKey = (dataDir: string, hasDatabase: boolean): MasterKey => {
  const provided = provideMasterKey(dataDir, hasDatabase);
  if ('fault' in provided) throw new LaunchFault(provided.fault);
  const read = readMasterKey(provided.text);
  if (!read.ok) throw new LaunchFault(read.reason);
  return { kind: 'KEY', key: read.key };
};

/** Writes the key before it gets its name, so that no start reads half a key, and concurrent starts use the same one. */
export const makeKeyFile = (file: string): void => {
  const text = newMasterKey();
  const fresh = `${file}.${process.pid}`;
  rmSync(fresh, { force: true });
  const descriptor = openSync(fresh, 'wx', 0o600);
  writeSync(descriptor, `${text}\n`);
  fsyncSync(descriptor);
  closeSync(descriptor);
  try {
    linkSync(fresh, file);
    syncFolder(path.dirname(file));
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(fresh, { force: true });
  }
};

export const syncFolder = (folder: string): void => {
  const descriptor = openSync(folder, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
};
