import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { CommandError, EXIT } from '../../exit-codes.ts';
import { changeJsonFile, isObject, isSystemError, readJsonFile } from '../../files/json-file.ts';
import type { Settings } from '../../settings.ts';

const FILE_BYTES_MAX = 8 * 1024 * 1024;
const BACKUPS_MAX = 50;

/** A file as it was read. */
export type LoadedConfigFile = { readonly path: string; readonly bytes: Buffer; readonly text: string; readonly digest: string };

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Reads a configuration. Undefined if there is none. A link is followed, so that it stays one when the file is replaced. */
export const readConfig = (given: string): LoadedConfigFile | undefined => {
  try {
    const path = realpathSync(given);
    if (statSync(path).size > FILE_BYTES_MAX) throw new CommandError(EXIT.error, `${path} exceeds 8 MiB.`);
    const bytes = readFileSync(path);
    return { path, bytes, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), digest: sha256(bytes) };
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined;
    if (isSystemError(error, 'EACCES', 'EISDIR')) throw new CommandError(EXIT.error, `${given} cannot be read.`);
    if (error instanceof TypeError) throw new CommandError(EXIT.error, `${given} is not UTF-8.`);
    throw error;
  }
};

const newConflict = (path: string): CommandError =>
  new CommandError(EXIT.conflict, `${path} was changed meanwhile. Nothing was written.`, 'Run the command again.', 'FILE_CHANGED');

const refuseChanged = (path: string, digest: string): void => {
  if (readConfig(path)?.digest !== digest) throw newConflict(path);
};

/** Replaces a file by renaming, with its mode, so that a client never reads a part of it. */
const replaceFile = (path: string, bytes: Uint8Array, expected: string): void => {
  const partial = `${path}.${process.pid}.partial`;
  const descriptor = openSync(partial, 'wx', statSync(path).mode & 0o777);
  try {
    writeFileSync(descriptor, bytes);
    fsyncSync(descriptor);
    refuseChanged(path, expected);
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
};

/** A change that can be undone: the backup holds the bytes before, `digest` is that of the bytes after. */
type Change = { readonly backup: string; readonly digest: string };
type Changes = Readonly<Record<string, readonly Change[]>>;

const indexPath = ({ configFolder }: Settings): string => join(configFolder, 'mcp-imports.json');
const backupFolder = ({ configFolder }: Settings): string => join(configFolder, 'mcp-backups');

const isChange = (value: unknown): value is Change =>
  isObject(value) && typeof value.backup === 'string' && typeof value.digest === 'string';

const readChanges = (file: JsonObject): Changes =>
  Object.fromEntries(Object.entries(file).map(([path, list]) => [path, Array.isArray(list) ? list.filter(isChange) : []]));

export const listChanged = (settings: Settings): readonly string[] =>
  Object.entries(readChanges(readJsonFile(indexPath(settings)))).flatMap(([path, changes]) => (changes.length > 0 ? [path] : []));

/** Writes a configuration, after a copy of what it replaces. The copy is outside the project, since configurations hold secrets. */
export const writeConfig = async (settings: Settings, { path, bytes, digest }: LoadedConfigFile, text: string): Promise<string> => {
  refuseChanged(path, digest);
  const folder = backupFolder(settings);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const backup = join(folder, `${randomUUID()}.backup`);
  writeFileSync(backup, bytes, { mode: 0o600, flag: 'wx' });
  const next = Buffer.from(text);
  // The index is written first: a crash between the two leaves an entry whose digest does not match, which undoes nothing.
  await changeJsonFile(indexPath(settings), (file) => {
    const changes = readChanges(file);
    return { ...changes, [path]: [...(changes[path] ?? []), { backup, digest: sha256(next) }].slice(-BACKUPS_MAX) };
  });
  replaceFile(path, next, digest);
  return backup;
};

const setChanges = (changes: Changes, path: string, list: readonly Change[]): Changes => {
  const { [path]: _replaced, ...rest } = changes;
  return list.length === 0 ? rest : { ...rest, [path]: list };
};

/** Restores the bytes from before the newest change of a file. Refuses a file that was changed since. */
export const undoChange = async (settings: Settings, path: string): Promise<void> => {
  const list = readChanges(readJsonFile(indexPath(settings)))[path] ?? [];
  const newest = list.at(-1);
  if (newest === undefined) throw new CommandError(EXIT.notFound, `Nothing is to be undone in ${path}.`, undefined, 'NOT_FOUND');
  const now = readConfig(path);
  const at = list.findLastIndex(({ digest }) => digest === now?.digest);
  const change = list[at];
  if (change === undefined)
    throw new CommandError(
      EXIT.conflict,
      `${path} was changed since the import, so it is not replaced.`,
      `The file from before is ${newest.backup}`,
      'FILE_CHANGED',
    );
  replaceFile(path, readFileSync(change.backup), change.digest);
  await changeJsonFile(indexPath(settings), (file) => setChanges(readChanges(file), path, list.slice(0, at)));
  for (const { backup } of list.slice(at)) rmSync(backup, { force: true });
};
