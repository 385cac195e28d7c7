import { statSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError, EXIT } from '../exit-codes.ts';
import type { Settings } from '../settings.ts';
import { changeJsonFile, isObject, readJsonFile } from './json-file.ts';

export const getCredentialsPath = (settings: Settings): string => join(settings.configFolder, 'credentials.json');

/** Refuses a file that other users of the machine can read. */
export const checkPrivate = (path: string): void => {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || process.platform === 'win32' || (found.mode & 0o077) === 0) return;
  const mode = (found.mode & 0o777).toString(8).padStart(4, '0');
  throw new CommandError(
    EXIT.error,
    `${path} has mode ${mode}: other users of this machine can read it.`,
    `chmod 600 ${path}`,
    'FILE_NOT_PRIVATE',
  );
};

/** The stored token of a profile, for the address that it was issued by. A token is never sent to another address. */
export const readToken = (settings: Settings, profile: string, url: string): string | undefined => {
  const path = getCredentialsPath(settings);
  checkPrivate(path);
  const entry = readJsonFile(path)[profile];
  return isObject(entry) && entry.url === url && typeof entry.token === 'string' ? entry.token : undefined;
};

export const getStoredProfiles = (settings: Settings): readonly { readonly profile: string; readonly url: string }[] => {
  const path = getCredentialsPath(settings);
  checkPrivate(path);
  return Object.entries(readJsonFile(path)).flatMap(([profile, entry]) =>
    isObject(entry) && typeof entry.url === 'string' ? [{ profile, url: entry.url }] : [],
  );
};

export const saveToken = async (settings: Settings, profile: string, url: string, token: string): Promise<void> => {
  const path = getCredentialsPath(settings);
  checkPrivate(path);
  await changeJsonFile(path, (file) => ({ ...file, [profile]: { url, token } }));
};

export const removeToken = async (settings: Settings, profile: string): Promise<void> => {
  const path = getCredentialsPath(settings);
  checkPrivate(path);
  await changeJsonFile(path, (file) => Object.fromEntries(Object.entries(file).filter(([name]) => name !== profile)));
};
