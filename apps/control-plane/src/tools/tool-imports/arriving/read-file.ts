import type { Readable } from 'node:stream';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';

const { documentBytesMax, arrivingGraceMs, arrivingMs, arrivingBytesPerSecondMin } = LIMITS.toolImports;

const LOOK_EVERY_MS = 500;
const LARGE = `The document is larger than ${documentBytesMax / 1_048_576} MiB. Pack it (gzip), or send it in parts.`;
const SLOW = `The document arrives with less than ${arrivingBytesPerSecondMin / 1_024} KiB in a second, or takes more than ${arrivingMs / 1_000} seconds, and others wait for its place. Pack it (gzip), send it over a faster connection, or name an address that it is fetched from.`;
/** The sender disconnected, or took too long for any request. */
const BROKEN = 'The document did not arrive as a whole.';

const unread = (message: string): Refusal<'VALIDATION_FAILED'> =>
  buildRefusal('VALIDATION_FAILED', 'The document cannot be read.', { faults: [{ pointer: '', message }] });

type Told = readonly Uint8Array[] | Refusal<'VALIDATION_FAILED'>;

/** Resolves once less has arrived than required (`arrived` returns the bytes), or it takes too long. Ends with the signal. */
const whenSlow = (arrived: () => number, done: AbortSignal): Promise<'slow'> =>
  new Promise((resolve) => {
    let waitedMs = 0;
    const looking = setInterval(() => {
      waitedMs += LOOK_EVERY_MS;
      const isTrickling = waitedMs > arrivingGraceMs && arrived() < (arrivingBytesPerSecondMin * waitedMs) / 1_000;
      if (isTrickling || waitedMs > arrivingMs) resolve('slow');
    }, LOOK_EVERY_MS);
    done.addEventListener('abort', () => clearInterval(looking));
  });

/** Returns the chunks of a file. It holds one of few slots meanwhile, so it must keep a minimum average rate and finish within a time. */
export const readFile = async (arriving: Readable): Promise<Told> => {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  const done = new AbortController();
  const slow = whenSlow(() => bytes, done.signal);
  const coming: AsyncIterator<Buffer> = arriving[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await Promise.race([coming.next(), slow]);
      if (next === 'slow') return unread(SLOW);
      if (next.done === true)
        return bytes === 0 ? unread('Nothing arrived: send a document that is not empty, as application/octet-stream.') : pieces;
      bytes += next.value.length;
      if (bytes > documentBytesMax) return unread(LARGE);
      pieces.push(next.value);
    }
  } catch {
    return unread(BROKEN);
  } finally {
    done.abort();
    // The rest is not read; if nothing more arrives this never resolves, and is not awaited.
    coming.return?.().catch(() => undefined);
  }
};
