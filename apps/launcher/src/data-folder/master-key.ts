import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { failedWith } from '@svc/database-server/system/system-error.ts';
import { newMasterKey, readMasterKey } from '@svc/keyring/sealed/master-key.ts';

export const masterKeyFile = (dataDir: string): string => path.join(dataDir, 'master.key');

export type ProvidedMasterKey = { readonly text: string } | { readonly fault: string };

/**
 * The base64 text of the key in the data folder, made at the first start. Never made anew beside a database that was sealed
 * with another: what it holds could not be opened any more.
 */
export const provideMasterKey = (dataDir: string, hasDatabase: boolean): ProvidedMasterKey => {
  const file = masterKeyFile(dataDir);
  const found = readKeyFile(file);
  if (found === undefined && hasDatabase) {
    return {
      fault: `The master key ${file} is missing, and without it the secrets in this database cannot be opened: restore the file from a backup, or set SVC_MASTER_KEY if the key was given that way.`,
    };
  }
  const text = found ?? makeKeyFile(file);
  if ((statSync(file).mode & 0o077) !== 0)
    return { fault: `The master key ${file} can be read by others: close it with "chmod 600 '${file}'".` };
  const key = readMasterKey(text);
  return key.ok ? { text } : { fault: `${file}: ${key.reason} Restore it from a backup.` };
};

/** Written whole before it gets its name, so that no start ever reads half a key, and of two at once both use the same. */
const makeKeyFile = (file: string): string => {
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
    return text;
  } catch (error) {
    const other = failedWith(error, 'EEXIST') ? readKeyFile(file) : undefined;
    if (other === undefined) throw error;
    return other;
  } finally {
    rmSync(fresh, { force: true });
  }
};

const readKeyFile = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (failedWith(error, 'ENOENT')) return undefined;
    throw error;
  }
};

const syncFolder = (folder: string): void => {
  const descriptor = openSync(folder, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
};
