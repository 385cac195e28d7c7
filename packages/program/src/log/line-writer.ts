import { write, writeSync } from 'node:fs';
import type { LogSink } from './log-file.ts';

export type LineWriter = {
  readonly write: (line: string) => void;
  /** Before the process ends: writes the remaining lines now, or drops them. */
  readonly flushSync: () => void;
};

/** Size of a batch, so that logging does not wait for the terminal; a line waits no longer than the interval. */
const BATCH_BYTES = 12_288;
const FLUSHED_EVERY_MS = 250;
/** Beyond it lines are dropped: a log without a reader must not fill the memory of the plane. */
const WAITING_BYTES_MAX = 1_048_576;
const LAST_TRIES = 20;
const TRY_AGAIN_MS = 10;

const tellLost = (lines: number): Buffer =>
  Buffer.from(`${JSON.stringify({ level: 40, time: new Date().toISOString(), msg: `${lines} lines of the log could not be written.` })}\n`);

const sleepSync = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

const isBusy = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EAGAIN';

/** Writes the last lines. Does not wait for a full disk or a missing reader. */
const writeLast = (descriptor: number, bytes: Buffer): void => {
  let rest = bytes;
  for (let tries = 0; rest.length > 0 && tries < LAST_TRIES; tries += 1) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
      tries = 0;
    } catch (error) {
      if (!isBusy(error)) return;
      sleepSync(TRY_AGAIN_MS);
    }
  }
};

/** Lines that wait to be written, and the number dropped for lack of capacity. */
const newBacklog = () => {
  let waiting: Buffer[] = [];
  let bytes = 0;
  let lost = 0;
  return {
    bytes: (): number => bytes,
    add: (line: Buffer): void => {
      if (bytes + line.length > WAITING_BYTES_MAX) {
        lost += 1;
        return;
      }
      waiting.push(line);
      bytes += line.length;
    },
    take: (): Buffer => {
      const all = Buffer.concat(lost === 0 ? waiting : [tellLost(lost), ...waiting]);
      lost = 0;
      waiting = [];
      bytes = 0;
      return all;
    },
  };
};

/**
 * Writes lines to an open file descriptor, one write at a time. The plane continues and can exit in any case: if a write fails
 * its lines are
 * lost, and the next ones are tried again.
 */
export const newLineWriter = (sink: LogSink): LineWriter => {
  const backlog = newBacklog();
  let writing = false;
  let bytesOfBatch = 0;

  const writeOn = (rest: Buffer): void => {
    if (rest.length === 0) {
      writing = false;
      sink.wrote(bytesOfBatch);
      if (backlog.bytes() >= BATCH_BYTES) begin();
      return;
    }
    write(sink.descriptor(), rest, (error, size) => {
      if (error && isBusy(error)) setTimeout(() => writeOn(rest), TRY_AGAIN_MS).unref();
      else writeOn(error ? rest.subarray(rest.length) : rest.subarray(size));
    });
  };
  const begin = (): void => {
    if (writing || backlog.bytes() === 0) return;
    writing = true;
    const batch = backlog.take();
    bytesOfBatch = batch.length;
    writeOn(batch);
  };

  setInterval(begin, FLUSHED_EVERY_MS).unref();
  return {
    write: (line) => {
      backlog.add(Buffer.from(line));
      if (backlog.bytes() >= BATCH_BYTES) begin();
    },
    flushSync: () => writeLast(sink.descriptor(), backlog.take()),
  };
};
