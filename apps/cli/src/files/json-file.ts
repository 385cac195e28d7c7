import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { CommandError, EXIT } from '../exit-codes.ts';

export const isSystemError = (error: unknown, ...codes: readonly string[]): error is NodeJS.ErrnoException =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);

/** The text of a file. An error says that it cannot be read. */
export const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (!isSystemError(error, 'EACCES', 'EPERM', 'EISDIR')) throw error;
    throw new CommandError(EXIT.error, `${path} cannot be read: ${error.message}`, 'Check its owner and mode.', 'FILE_NOT_READABLE');
  }
};

/** The text of a file; undefined if there is none. */
export const readIfPresent = (path: string): string | undefined => {
  try {
    return readText(path);
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
};

export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A file with one JSON object; an empty object if there is no file. */
export const readJsonFile = (path: string): JsonObject => {
  const text = readIfPresent(path);
  if (text === undefined) return {};
  return parseObject(text, path);
};

export const parseJson = (text: string, source: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CommandError(EXIT.usage, `${source} is not valid JSON: ${error.message}`);
  }
};

export const parseObject = (text: string, source: string): JsonObject => {
  const value = parseJson(text, source);
  if (!isObject(value)) throw new CommandError(EXIT.usage, `${source} does not hold a JSON object.`);
  return value;
};

/** Writes a file of the user alone by renaming, so that a reader never sees a part of it. */
export const writePrivateFile = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const partial = `${path}.${process.pid}.partial`;
  writeFileSync(partial, text, { mode: 0o600 });
  renameSync(partial, path);
};

const LOCK_TRIES = 100;
const LOCK_WAIT_MS = 20;
/** A lock that a program left behind when it was killed is taken over after this time. */
const LOCK_STALE_MS = 10_000;

const takeLock = (path: string): boolean => {
  try {
    closeSync(openSync(path, 'wx', 0o600));
    return true;
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw error;
    return false;
  }
};

const dropStaleLock = (path: string): void => {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined && Date.now() - found.mtimeMs > LOCK_STALE_MS) rmSync(path, { force: true });
};

const NOT_WRITTEN = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EEXIST', 'ENOTDIR', 'EISDIR'];

/** Changes a JSON file under a lock, so that two commands at the same time lose nothing. */
export const changeJsonFile = async (path: string, change: (value: JsonObject) => JsonObject): Promise<void> => {
  try {
    await changeUnderLock(path, change);
  } catch (error) {
    if (!isSystemError(error, ...NOT_WRITTEN)) throw error;
    const remedy = 'Set SVC_CONFIG_DIR to a folder that you can write.';
    throw new CommandError(EXIT.error, `${path} cannot be written: ${error.message}`, remedy, 'FILE_NOT_WRITABLE');
  }
};

const changeUnderLock = async (path: string, change: (value: JsonObject) => JsonObject): Promise<void> => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const lock = `${path}.lock`;
  for (let tried = 0; !takeLock(lock); tried += 1) {
    if (tried >= LOCK_TRIES) throw new CommandError(EXIT.error, `${lock} is held by another command.`, 'Wait for it, or remove the file.');
    dropStaleLock(lock);
    await wait(LOCK_WAIT_MS);
  }
  try {
    writePrivateFile(path, `${JSON.stringify(change(readJsonFile(path)), undefined, 2)}\n`);
  } finally {
    rmSync(lock, { force: true });
  }
};
