import type { Readable } from 'node:stream';
import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';

const { documentBytesMax, arrivingGraceMs, arrivingMs, arrivingBytesPerSecondMin } = LIMITS.toolImports;

const LOOK_EVERY_MS = 500;
const LARGE = `The document is larger than ${documentBytesMax / 1_048_576} MiB. Pack it (gzip), or send it in parts.`;
const SLOW = `The document arrives with less than ${arrivingBytesPerSecondMin / 1_024} KiB in a second, or takes more than ${arrivingMs / 1_000} seconds, and others wait for its place. Pack it (gzip), send it over a faster connection, or name an address that it is fetched from.`;
/** Whoever sent it is gone, or took too long for any request. */
const BROKEN = 'The document did not arrive as a whole.';

const unread = (message: string): Refusal<'VALIDATION_FAILED'> =>
  refusal('VALIDATION_FAILED', 'The document cannot be read.', { faults: [{ pointer: '', message }] });

type Told = readonly Uint8Array[] | Refusal<'VALIDATION_FAILED'>;

/** Tells once that less has come than has to, of what `arrived` says, or that it takes too long. Ends with the signal. */
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

/**
 * The pieces of a file as they arrived. It holds one of few places meanwhile, so that it has to come at some rate, on the average since it
 * began, and within a time.
 */
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
    // What is left of it is read no further; where nothing comes any more this never ends, and nobody waits for it.
    coming.return?.().catch(() => undefined);
  }
};
