import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { hasErrorCode } from '@svc/database-server/system/system-error.ts';
import type { BackupHead, BackupPart } from '@svc/postgres/backup/backup-part.ts';
import { LaunchFault } from '../faults/launch-fault.ts';
import { type EndLine, FORMAT, FORMAT_VERSION, type OnProgressRows } from './backup-file.ts';
import { isPartOrEnd, isWholeHead } from './backup-line.ts';

const NEW_LINE = 10;
/** A group of rows has a few MiB; one row is bounded by the size of a request. */
const LINE_BYTES_MAX = 256 * 1024 * 1024;

const brokenOff = (file: string): LaunchFault =>
  new LaunchFault(`${file} is incomplete or was changed, and nothing was restored. Use another copy, or another backup.`);

const noBackup = (file: string): LaunchFault =>
  new LaunchFault(`${file} is not a backup of this service. Use a file created by npm run ops -- backup.`);

const parse = (text: string, file: string): object => {
  try {
    const line: unknown = JSON.parse(text);
    if (typeof line !== 'object' || line === null) throw brokenOff(file);
    return line;
  } catch (error) {
    // A line nested too deeply to parse was not written by this program.
    if (error instanceof SyntaxError || error instanceof RangeError) throw brokenOff(file);
    throw error;
  }
};

/** Splits bytes into lines; the last may lack its line break. A line beyond the maximum is not part of a backup. */
async function* splitLines(bytes: AsyncIterable<Buffer>, file: string): AsyncGenerator<Buffer> {
  let kept: Buffer[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    let from = 0;
    for (let at = chunk.indexOf(NEW_LINE); at >= 0; at = chunk.indexOf(NEW_LINE, from)) {
      yield Buffer.concat([...kept, chunk.subarray(from, at)]);
      [kept, length, from] = [[], 0, at + 1];
    }
    kept.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > LINE_BYTES_MAX) throw brokenOff(file);
  }
  if (length > 0) yield Buffer.concat(kept);
}

/** Yields every line while reading. `bytes` is the raw line. */
async function* readLines(file: string): AsyncGenerator<{ readonly line: object; readonly bytes: Buffer }> {
  if (!existsSync(file)) throw new LaunchFault(`${file} does not exist. Use a file created by npm run ops -- backup.`);
  const source = createReadStream(file);
  const unpacked = createGunzip();
  source.once('error', (error) => unpacked.destroy(error));
  source.pipe(unpacked);
  let read = 0;
  try {
    for await (const bytes of splitLines(unpacked, file)) {
      const line = parse(bytes.toString('utf8'), file);
      read += 1;
      yield { line, bytes };
    }
  } catch (error) {
    if (hasErrorCode(error, 'Z_BUF_ERROR', 'Z_DATA_ERROR')) throw read === 0 ? noBackup(file) : brokenOff(file);
    if (hasErrorCode(error, 'EISDIR', 'EACCES')) throw new LaunchFault(`${file} cannot be read. Check its permissions.`);
    throw error;
  } finally {
    source.destroy();
  }
}

const readHead = (line: object, file: string): BackupHead => {
  if (!('format' in line) || line.format !== FORMAT) throw noBackup(file);
  if ('version' in line && Number(line.version) > FORMAT_VERSION)
    throw new LaunchFault(`${file} was created by a newer version. Restore it with that version.`);
  if (!isWholeHead(line)) throw brokenOff(file);
  return line;
};

/** Reads a whole backup and checks each line before anything depends on it. Throws a LaunchFault for an incomplete one. */
export const checkBackupFile = async (file: string): Promise<BackupHead & { readonly rows: number }> => {
  const digest = createHash('sha256');
  let head: BackupHead | undefined;
  let end: EndLine | undefined;
  let rows = 0;
  let hasTable = false;
  for await (const { line, bytes } of readLines(file)) {
    if (end !== undefined) throw brokenOff(file);
    if (head === undefined) head = readHead(line, file);
    else {
      if (!isPartOrEnd(line) || (line.kind === 'rows' && !hasTable)) throw brokenOff(file);
      if (line.kind === 'end') {
        end = line;
        continue;
      }
      if (line.kind === 'table') hasTable = true;
      if (line.kind === 'rows') rows += line.rows.length;
    }
    digest.update(bytes).update('\n');
  }
  if (head === undefined) throw noBackup(file);
  if (end === undefined || !hasTable || end.rows !== rows || end.sha256 !== digest.digest('hex')) throw brokenOff(file);
  return { ...head, rows };
};

/** Yields the parts of a checked backup. */
export async function* yieldParts(file: string, progress: OnProgressRows): AsyncGenerator<BackupPart> {
  let rows = 0;
  for await (const { line } of readLines(file)) {
    if (!isPartOrEnd(line) || line.kind === 'end') continue;
    if (line.kind === 'rows') rows += line.rows.length;
    yield line;
    progress(rows);
  }
}
