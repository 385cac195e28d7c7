import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** Counts what one connection brings: whether it was exactly the answers that were asked for, byte for byte. */
export type AnswerMeter = {
  /** A request leaves now: from here to the end of its answer bytes may come. Any others close the connection. */
  readonly begin: () => void;
  /** What its answer announced. An answer that was begun before all of the request had left is no whole one. */
  readonly expect: (message: IncomingMessage, request: { readonly method: string; readonly hasLeft: boolean }) => void;
  /** An interim answer came before it: what came is not that answer alone. */
  readonly announce: () => void;
  /** Asked once the answer was read to its end: whether it was all that came. */
  readonly endsWhole: () => boolean;
  /** How long the connection had waited for the request that is under way, in milliseconds; 0 for the first. */
  readonly waitedMs: () => number;
};

const HEAD_END = '\r\n\r\n';
/** Where chunks end and no trailer follows: an end that can be the end of nothing else. */
const CHUNKS_END = '\r\n0\r\n\r\n';
const BODYLESS = new Set([204, 304]);

/** Bytes of the body; `chunked` where its own last bytes end it, and undefined where only the connection's end does. */
const announced = (message: IncomingMessage, method: string): number | 'chunked' | undefined => {
  if (method === 'HEAD' || BODYLESS.has(message.statusCode ?? 0)) return 0;
  if (message.headers['transfer-encoding'] !== undefined) return 'chunked';
  const length = message.headers['content-length'];
  return length === undefined ? undefined : Number(length);
};

/**
 * Watches a connection against response desynchronisation: a byte too many, a second answer, or one that nobody asked for would be taken for
 * the beginning of the next answer. A head that does not come in one piece, or behind interim answers, is not measured, and not whole; neither
 * are chunks that a trailer follows.
 */
export const newAnswerMeter = (socket: Duplex): AnswerMeter => {
  let isAsked = false;
  let endedAt: number | undefined;
  let waitedMs = 0;
  let bytes = 0;
  let headBytes = 0;
  let tail = '';
  let isInterim = false;
  let body: number | 'chunked' | undefined;
  socket.on('data', (piece: Buffer) => {
    if (!isAsked) return void socket.destroy();
    if (bytes === 0) headBytes = piece.indexOf(HEAD_END) + HEAD_END.length;
    bytes += piece.length;
    tail = (tail + piece.toString('latin1', Math.max(0, piece.length - CHUNKS_END.length))).slice(-CHUNKS_END.length);
  });
  const isMeasured = (): boolean =>
    !isInterim && headBytes >= HEAD_END.length && (body === 'chunked' ? tail === CHUNKS_END : bytes === headBytes + (body ?? -1));
  return {
    begin: () => {
      isAsked = true;
      waitedMs = endedAt === undefined ? 0 : performance.now() - endedAt;
      [bytes, headBytes, tail, body, isInterim] = [0, 0, '', undefined, false];
    },
    announce: () => {
      isInterim = true;
    },
    expect: (message, { method, hasLeft }) => {
      body = hasLeft ? announced(message, method) : undefined;
    },
    endsWhole: () => {
      isAsked = false;
      endedAt = performance.now();
      return isMeasured();
    },
    waitedMs: () => waitedMs,
  };
};
