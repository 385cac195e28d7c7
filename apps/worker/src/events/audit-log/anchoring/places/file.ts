import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { orRefusal } from '@svc/http/answers/error-to-wire.ts';
import { type Anchor, failed, inConflict, type Placed, type SignedLog } from '../anchor.ts';

const { O_APPEND, O_CREAT, O_RDWR, O_NONBLOCK } = constants;
const MODE = 0o640;

/** A checkpoint as far as its signatures: what was torn off in the middle is none. */
const CHECKPOINT = /^(.+)\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\n(?:(?:kept|after) .+\n)?\n\u2014 \S+ [A-Za-z0-9+/=]+\n/gm;

type Known = { readonly size: number; readonly root: string };

/** What the file is known to have: the largest tree of each log; and up to which byte it was read. */
type Read = { readonly known: Map<string, Known>; readonly upTo: number };

/** More than a checkpoint is long: what another worker had written only a part of is read once more. */
const OVERLAP_BYTES = 4_096;

/** What the end of the file has, and later what was added to it since, by whomever; of one that did not become longer the end anew. */
const readOn = async (file: FileHandle, size: number, before: Read | undefined): Promise<Read> => {
  const isLonger = before !== undefined && before.upTo < size;
  const from = Math.max(0, size - LIMITS.anchors.fileTailBytesMax, isLonger ? before.upTo - OVERLAP_BYTES : 0);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
  const known = isLonger ? before.known : new Map<string, Known>();
  for (const [, origin = '', leaves, root = ''] of buffer.toString('utf8', 0, bytesRead).matchAll(CHECKPOINT))
    if (Number(leaves) >= (known.get(origin)?.size ?? 0)) known.set(origin, { size: Number(leaves), root });
  return { known, upTo: size };
};

/** What the file has of the log already, where it says something about this checkpoint. */
const compareKnown = async ({ size, root }: Known, log: SignedLog): Promise<Placed | undefined> => {
  if (size > log.size) return inConflict(`The file has a checkpoint of ${size} leaves, but the log has ${log.size}: it was rolled back.`);
  const ours = size === log.size ? log.root : await log.rootAt(size);
  if (ours?.toString('base64') !== root)
    return inConflict(`The file contains another checkpoint with ${size} leaves: the log was rewritten.`);
  return size === log.size ? { kind: 'placed' } : undefined;
};

/** Names survive a fall of the machine only once their folder was written too. */
const syncFolder = async (file: string): Promise<void> => {
  const folder = await open(path.dirname(file), 'r');
  await folder.sync().finally(() => folder.close());
};

/** Begins with a line of its own, so that one that was torn off before it stays apart. */
const append = async (handle: FileHandle, note: string): Promise<boolean> => {
  const bytes = Buffer.from(`\n${note}`);
  const { bytesWritten } = await handle.write(bytes);
  await handle.sync();
  return bytesWritten === bytes.length;
};

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : 'unknown');

/** A file to which checkpoints are added and that is never written otherwise: one after the other, each on the disk before it counts. */
export const newFileAnchor = (name: string, file: string): Anchor => {
  let read: Read | undefined;
  const write = async (log: SignedLog): Promise<Placed> => {
    const handle = await open(file, O_APPEND | O_CREAT | O_RDWR | O_NONBLOCK, MODE);
    try {
      const stat = await handle.stat();
      if (!stat.isFile()) return failed('The path is not a regular file.');
      if (stat.size === 0) await syncFolder(file);
      read = await readOn(handle, stat.size, read);
      const last = read.known.get(log.origin);
      const already = last && (await compareKnown(last, log));
      if (already !== undefined) return already;
      if (!(await append(handle, log.note))) return failed('The checkpoint was written only in part: the disk is full.');
      read.known.set(log.origin, { size: log.size, root: log.root.toString('base64') });
      return { kind: 'placed' };
    } finally {
      await handle.close();
    }
  };
  const attempt = async (log: SignedLog): Promise<Placed> => {
    let code = '';
    const written = await orRefusal(
      () => write(log),
      (error) => {
        code = codeOf(error);
      },
    );
    return isRefusal(written) ? failed(`The file could not be written (${code}).`) : written;
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
