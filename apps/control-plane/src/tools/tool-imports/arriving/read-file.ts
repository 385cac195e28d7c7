import type { Readable } from 'node:stream';
import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';

const { documentBytesMax } = LIMITS.toolImports;

const unread = (message: string): Refusal<'VALIDATION_FAILED'> =>
  refusal('VALIDATION_FAILED', 'The document cannot be read.', { faults: [{ pointer: '', message }] });

/** The pieces of a file as they arrived. How long it may take, the server bounds as for every request. */
export const readFile = async (arriving: Readable): Promise<readonly Uint8Array[] | Refusal<'VALIDATION_FAILED'>> => {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const piece of arriving as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > documentBytesMax)
        return unread(`The document is larger than ${documentBytesMax / 1_048_576} MiB. Pack it (gzip), or send it in parts.`);
      pieces.push(piece);
    }
  } catch {
    // Whoever sent it is gone, or took too long.
    return unread('The document did not arrive as a whole.');
  }
  return bytes === 0 ? unread('Send the document as application/octet-stream.') : pieces;
};
