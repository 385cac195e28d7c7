import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { runOrRefuse } from '@svc/http/answers/error-to-wire.ts';
import { type Anchor, type AnchoredCheckpoint, conflictAnchor, failAnchor, type SignedLog } from '../anchor.ts';

const { O_APPEND, O_CREAT, O_RDWR, O_NONBLOCK } = constants;
const MODE = 0o640;

/** Matches a checkpoint up to its signatures; a truncated one does not match. */
const CHECKPOINT = /^(.+)\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\n(?:(?:kept|after) .+\n)?\n\u2014 \S+ [A-Za-z0-9+/=]+\n/gm;

type Known = { readonly size: number; readonly root: string };

/** Known content of the file: the largest tree of each log; and the position up to which it was read. */
type Read = { readonly known: Map<string, Known>; readonly upTo: number };

/** More than the length of a checkpoint: a partial write of another worker is read again. */
const OVERLAP_BYTES = 4_096;

/** Reads what was added to the file since, by any process; reads the end again if the file did not grow. */
const readOn = async (file: FileHandle, size: number, before: Read | undefined): Promise<Read> => {
  const isLonger = before !== undefined && before.upTo < size;
  const from = Math.max(0, size - LIMITS.anchors.fileTailBytesMax, isLonger ? before.upTo - OVERLAP_BYTES : 0);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
  const known = isLonger ? before.known : new Map<string, Known>();
  for (const [, origin = '', leaves, root = ''] of buffer.toString('utf8', 0, bytesRead).matchAll(CHECKPOINT))
    if (Number(leaves) >= (known.get(origin)?.size ?? 0)) known.set(origin, { size: Number(leaves), root });
  return { known, upTo: size };
};

/** Compares the file's last checkpoint of the log, if it decides anything about this one. */
const compareKnown = async ({ size, root }: Known, log: SignedLog): Promise<AnchoredCheckpoint | undefined> => {
  if (size > log.size)
    return conflictAnchor(`The file has a checkpoint of ${size} leaves, but the log has ${log.size}: it was rolled back.`);
  const ours = size === log.size ? log.root : await log.rootAt(size);
  if (ours?.toString('base64') !== root)
    return conflictAnchor(`The file contains another checkpoint with ${size} leaves: the log was rewritten.`);
  return size === log.size ? { kind: 'placed' } : undefined;
};

/** File names survive a crash of the machine only after their folder was synced. */
const syncFolder = async (file: string): Promise<void> => {
  const folder = await open(path.dirname(file), 'r');
  await folder.sync().finally(() => folder.close());
};

/** Begins on a new line, so that a truncated checkpoint before it stays separate. */
const append = async (handle: FileHandle, note: string): Promise<boolean> => {
  const bytes = Buffer.from(`\n${note}`);
  const { bytesWritten } = await handle.write(bytes);
  await handle.sync();
  return bytesWritten === bytes.length;
};

const getCode = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : 'unknown');

/** An append-only file of checkpoints: each is on disk before it counts. */
export const newFileAnchor = (name: string, file: string): Anchor => {
  let read: Read | undefined;
  const write = async (log: SignedLog): Promise<AnchoredCheckpoint> => {
    const handle = await open(file, O_APPEND | O_CREAT | O_RDWR | O_NONBLOCK, MODE);
    try {
      const stat = await handle.stat();
      if (!stat.isFile()) return failAnchor('The path is not a regular file.');
      if (stat.size === 0) await syncFolder(file);
      read = await readOn(handle, stat.size, read);
      const last = read.known.get(log.origin);
      const already = last && (await compareKnown(last, log));
      if (already !== undefined) return already;
      if (!(await append(handle, log.note))) return failAnchor('The checkpoint was written only in part: the disk is full.');
      read.known.set(log.origin, { size: log.size, root: log.root.toString('base64') });
      return { kind: 'placed' };
    } finally {
      await handle.close();
    }
  };
  const attempt = async (log: SignedLog): Promise<AnchoredCheckpoint> => {
    let code = '';
    const written = await runOrRefuse(
      () => write(log),
      (error) => {
        code = getCode(error);
      },
    );
    return isRefusal(written) ? failAnchor(`The file could not be written (${code}).`) : written;
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    name,
    place: (log) => {
      const next = last.then(() => attempt(log));
      last = next;
      return next;
    },
  };
};
