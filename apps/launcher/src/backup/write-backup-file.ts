import { createHash } from 'node:crypto';
import { createWriteStream, existsSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { hasErrorCode } from '@svc/database-server/system/system-error.ts';
import type { OpenedBackup } from '@svc/postgres/backup/read-backup.ts';
import { LaunchFault } from '../faults/launch-fault.ts';
import { type EndLine, FORMAT, FORMAT_VERSION, type HeadLine, type OnProgressRows } from './backup-file.ts';

const isThere = (file: string): LaunchFault =>
  new LaunchFault(`${file} already exists and was not changed. Choose another file, or move it.`);

async function* readLines({ head, parts }: OpenedBackup, progress: OnProgressRows): AsyncGenerator<string, void> {
  const digest = createHash('sha256');
  const told = (line: object): string => {
    const text = `${JSON.stringify(line)}\n`;
    digest.update(text);
    return text;
  };
  let rows = 0;
  yield told({ format: FORMAT, version: FORMAT_VERSION, ...head } satisfies HeadLine);
  for await (const part of parts) {
    if (part.kind === 'rows') rows += part.rows.length;
    yield told(part);
    progress(rows);
  }
  yield `${JSON.stringify({ kind: 'end', rows, sha256: digest.digest('hex') } satisfies EndLine)}\n`;
}

/** Checked before anything begins: an error after an hour would be late. */
export const assertNew = (file: string): void => {
  if (existsSync(file)) throw isThere(file);
  if (!existsSync(path.dirname(file))) throw notWritable(file);
};

const notWritable = (file: string): LaunchFault =>
  new LaunchFault(`${file} cannot be written. Choose a file in an existing, writable folder.`);

const open = (file: string): number => {
  try {
    return openSync(file, 'wx', 0o600);
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) throw isThere(file);
    if (!hasErrorCode(error, 'ENOENT', 'EACCES', 'EROFS', 'ENOTDIR', 'EPERM', 'ENAMETOOLONG')) throw error;
    throw notWritable(file);
  }
};

/** Without hard links the name is checked again, which leaves a moment for another process to take it. */
const giveName = (fresh: string, file: string): void => {
  try {
    linkSync(fresh, file);
  } catch (error) {
    if (!hasErrorCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL')) throw error;
    assertNew(file);
    renameSync(fresh, file);
  }
};

/**
 * Writes a backup for its owner only; returns its number of rows. It gets its name when it is complete; an existing file is never
 * overwritten.
 */
export const writeBackupFile = async (file: string, backup: OpenedBackup, progress: OnProgressRows): Promise<number> => {
  let written = 0;
  const note: OnProgressRows = (rows) => {
    written = rows;
    progress(rows);
  };
  assertNew(file);
  const fresh = `${file}.part`;
  const output = createWriteStream('', { fd: open(fresh), flush: true });
  const remove = (): void => rmSync(fresh, { force: true });
  process.once('exit', remove);
  try {
    await pipeline(Readable.from(readLines(backup, note), { objectMode: true }), createGzip(), output);
    giveName(fresh, file);
    return written;
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) throw isThere(file);
    if (hasErrorCode(error, 'ENOSPC', 'EDQUOT'))
      throw new LaunchFault(`The disk has no space for ${file}, and the partial file was removed.`);
    throw error;
  } finally {
    remove();
    process.removeListener('exit', remove);
  }
};
