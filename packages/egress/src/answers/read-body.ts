import type { IncomingMessage } from 'node:http';

/** Why an answer cannot be read, as a sentence. */
export type Unreadable = { readonly unreadable: string; readonly tooLarge?: true };

/** Told of the moment at which a body turns out to be a large one; what it answers is waited for while nothing more is read. */
export type OnLarge = () => Promise<Unreadable | undefined> | Unreadable | undefined;

export type BodyBounds = { readonly bytesMax: number; readonly smallBytesMax: number };

const FIRST_BYTES = 4_096;
/** A body may come in pieces of any size to begin with, and of this many bytes on average from then on: each costs a turn of the loop. */
const PIECES_MIN = 1_024;
const PIECE_BYTES_MIN = 256;

const isCompressed = (message: IncomingMessage): boolean => {
  const encoding = message.headers['content-encoding']?.trim().toLowerCase();
  return encoding !== undefined && encoding !== '' && encoding !== 'identity';
};

/** Pieces are copied together as they come: a piece by itself keeps all the bytes that were read with it. */
const newCollector = (bytesMax: number) => {
  let held: Buffer<ArrayBuffer> = Buffer.allocUnsafeSlow(0);
  let bytes = 0;
  return {
    add: (piece: Buffer): void => {
      if (bytes + piece.length > held.length) {
        const size = Math.min(bytesMax, Math.max(FIRST_BYTES, held.length * 2, bytes + piece.length));
        const larger = Buffer.allocUnsafeSlow(size);
        held.copy(larger, 0, 0, bytes);
        held = larger;
      }
      piece.copy(held, bytes);
      bytes += piece.length;
    },
    all: (): Buffer<ArrayBuffer> => held.subarray(0, bytes),
  };
};

/**
 * Reads a body to its end, or says why it cannot be read as soon as that is known. Nothing is decompressed: no compression is asked for,
 * and a small compressed body can be a huge one. Rejects when the connection breaks.
 */
export const readBody = async (
  message: IncomingMessage,
  bounds: BodyBounds,
  onLarge: OnLarge,
): Promise<Buffer<ArrayBuffer> | Unreadable> => {
  if (isCompressed(message)) return { unreadable: 'The answer is compressed, which was not asked for.' };
  const collector = newCollector(bounds.bytesMax);
  let bytes = 0;
  let pieces = 0;
  let isLarge = false;
  for await (const piece of message as AsyncIterable<Buffer>) {
    bytes += piece.length;
    pieces += 1;
    if (bytes > bounds.bytesMax) return { unreadable: `The answer is larger than ${bounds.bytesMax} bytes.`, tooLarge: true };
    if (pieces > PIECES_MIN + bytes / PIECE_BYTES_MIN) return { unreadable: 'The answer comes in too many small pieces.' };
    if (!isLarge && bytes > bounds.smallBytesMax) {
      isLarge = true;
      const unreadable = await onLarge();
      if (unreadable !== undefined) return unreadable;
    }
    collector.add(piece);
  }
  return collector.all();
};
