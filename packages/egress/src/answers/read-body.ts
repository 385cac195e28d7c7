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

/** As a whole, or only on its way: either is bytes in which nobody finds what has to be hidden. */
const isCompressed = ({ headers }: IncomingMessage): boolean => {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  const transfer = headers['transfer-encoding']?.trim().toLowerCase() ?? '';
  return !['', 'identity'].includes(encoding) || !['', 'chunked'].includes(transfer);
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
        // Given back now, and not when garbage is looked for: of large bodies it comes to as much again.
        held.buffer.transfer(0);
        held = larger;
      }
      piece.copy(held, bytes);
      bytes += piece.length;
    },
    all: (): Buffer<ArrayBuffer> => held.subarray(0, bytes),
  };
};

/** The connection was left before the body had come to its end. */
const newPrematureClose = (): Error => Object.assign(new Error('the answer broke off'), { code: 'ERR_STREAM_PREMATURE_CLOSE' });

/** Counts what comes; says why it cannot go on. */
const newBounds = (bytesMax: number) => {
  let bytes = 0;
  let pieces = 0;
  return {
    bytes: (): number => bytes,
    add: (piece: Buffer): Unreadable | undefined => {
      bytes += piece.length;
      pieces += 1;
      if (bytes > bytesMax) return { unreadable: `The response is larger than ${bytesMax} bytes.`, tooLarge: true };
      if (pieces > PIECES_MIN + bytes / PIECE_BYTES_MIN) return { unreadable: 'The response arrived in too many small chunks.' };
      return undefined;
    },
  };
};

type Settle = { readonly resolve: (body: Buffer<ArrayBuffer> | Unreadable) => void; readonly reject: (error: unknown) => void };

/** Otherwise all that has arrived of a large body would be taken before anybody else is heard, megabytes of each of them. */
const goOnNextTurn = (message: IncomingMessage): void => {
  message.pause();
  setImmediate(() => message.resume());
};

/** Listens instead of iterating: an iterator over the message costs more than all else about a small body. */
const collect = (message: IncomingMessage, { bytesMax, smallBytesMax }: BodyBounds, onLarge: OnLarge, settle: Settle): void => {
  const collector = newCollector(bytesMax);
  const bounds = newBounds(bytesMax);
  let isLarge = false;
  let isAsking = false;
  let ending: (() => void) | undefined;
  /** While `onLarge` is asked nothing ends: what it takes is given back by whoever reads on. */
  const end = (how: () => void): void => {
    if (isAsking) ending ??= how;
    else how();
  };
  const stop = (unreadable: Unreadable): void => {
    settle.resolve(unreadable);
    message.destroy();
  };
  const ask = async (piece: Buffer): Promise<void> => {
    [isLarge, isAsking] = [true, true];
    message.pause();
    const unreadable = await onLarge();
    isAsking = false;
    if (unreadable !== undefined) return stop(unreadable);
    collector.add(piece);
    if (ending === undefined) message.resume();
    else ending();
  };
  message.on('data', (piece: Buffer) => {
    const unreadable = bounds.add(piece);
    if (unreadable !== undefined) return stop(unreadable);
    if (bounds.bytes() <= smallBytesMax) return collector.add(piece);
    if (isLarge) {
      collector.add(piece);
      return goOnNextTurn(message);
    }
    // Whatever it throws goes to whoever reads.
    const broken = (error: unknown): void => {
      settle.reject(error);
      message.destroy();
    };
    ask(piece).then(undefined, broken);
  });
  message.on('error', (error) => end(() => settle.reject(error)));
  message.once('end', () => end(() => settle.resolve(collector.all())));
  message.once('close', () => {
    if (!message.readableEnded) end(() => settle.reject(newPrematureClose()));
  });
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
  if (isCompressed(message)) return { unreadable: 'The response is compressed, although the request did not allow it.' };
  return new Promise((resolve, reject) => collect(message, bounds, onLarge, { resolve, reject }));
};
