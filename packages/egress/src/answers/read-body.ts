import type { IncomingMessage } from 'node:http';

/** The reason why a response cannot be read, as a sentence. */
export type Unreadable = { readonly unreadable: string; readonly tooLarge?: true };

/** Called when a body turns out to be large; reading pauses until it resolves. */
export type OnLarge = () => Promise<Unreadable | undefined> | Unreadable | undefined;

export type BodyBounds = { readonly bytesMax: number; readonly smallBytesMax: number };

const FIRST_BYTES = 4_096;
/**
 * A body may begin with pieces of any size, and must have this many bytes per piece on average from then on: each piece costs an event-loop
 * tick.
 */
const PIECES_MIN = 1_024;
const PIECE_BYTES_MIN = 256;

/** Compressed as a whole or only in transit: in either, secrets cannot be found and masked. */
const isCompressed = ({ headers }: IncomingMessage): boolean => {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  const transfer = headers['transfer-encoding']?.trim().toLowerCase() ?? '';
  return !['', 'identity'].includes(encoding) || !['', 'chunked'].includes(transfer);
};

/** Copies pieces together as they arrive: a piece by itself retains all bytes that were read with it. */
const newCollector = (bytesMax: number) => {
  let held: Buffer<ArrayBuffer> = Buffer.allocUnsafeSlow(0);
  let bytes = 0;
  return {
    add: (piece: Buffer): void => {
      if (bytes + piece.length > held.length) {
        const size = Math.min(bytesMax, Math.max(FIRST_BYTES, held.length * 2, bytes + piece.length));
        const larger = Buffer.allocUnsafeSlow(size);
        held.copy(larger, 0, 0, bytes);
        // Freed now instead of by the garbage collector: for large bodies it is the same amount again.
        held.buffer.transfer(0);
        held = larger;
      }
      piece.copy(held, bytes);
      bytes += piece.length;
    },
    all: (): Buffer<ArrayBuffer> => held.subarray(0, bytes),
  };
};

/** The connection ended before the body was complete. */
const newPrematureClose = (): Error => Object.assign(new Error('the answer broke off'), { code: 'ERR_STREAM_PREMATURE_CLOSE' });

/** Counts what arrives; returns why reading cannot continue. */
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

/** Otherwise everything that has arrived of a large body would be processed before other work, megabytes of each. */
const goOnNextTurn = (message: IncomingMessage): void => {
  message.pause();
  setImmediate(() => message.resume());
};

/** Listens instead of iterating: an iterator over the message costs more than everything else about a small body. */
const collect = (message: IncomingMessage, { bytesMax, smallBytesMax }: BodyBounds, onLarge: OnLarge, settle: Settle): void => {
  const collector = newCollector(bytesMax);
  const bounds = newBounds(bytesMax);
  let isLarge = false;
  let isAsking = false;
  let ending: (() => void) | undefined;
  /** Nothing ends while `onLarge` is pending: its reader releases what it acquired. */
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
    // Its exceptions go to the reader.
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
 * Reads a body to its end, or returns as soon as known why it cannot be read. Nothing is decompressed: no compression is requested,
 * and a small compressed body can be a huge one. Rejects if the connection breaks.
 */
export const readBody = async (
  message: IncomingMessage,
  bounds: BodyBounds,
  onLarge: OnLarge,
): Promise<Buffer<ArrayBuffer> | Unreadable> => {
  if (isCompressed(message)) return { unreadable: 'The response is compressed, although the request did not allow it.' };
  return new Promise((resolve, reject) => collect(message, bounds, onLarge, { resolve, reject }));
};
