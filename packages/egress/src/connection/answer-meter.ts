import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** Measures if one connection carried exactly the requested responses, byte for byte. */
export type AnswerMeter = {
  /** Starts a request: bytes may arrive from here to the end of its response. Any others close the connection. */
  readonly begin: () => void;
  /** Records the announced length of the response. A response that began before the whole request had left is not a complete one. */
  readonly expect: (message: IncomingMessage, request: { readonly method: string; readonly hasLeft: boolean }) => void;
  /** Records an interim response: what arrived is not the final response alone. */
  readonly announce: () => void;
  /** Returns true, after the response was read to its end, if nothing else arrived. */
  readonly endsWhole: () => boolean;
  /** How long the connection was idle before the current request, in milliseconds; 0 for the first. */
  readonly waitedMs: () => number;
};

const HEAD_END = '\r\n\r\n';
/** The end of chunks without a trailer: it cannot be the end of anything else. */
const CHUNKS_END = '\r\n0\r\n\r\n';
const BODYLESS = new Set([204, 304]);

/** Returns the length of the body; `chunked` if its own last bytes end it, and undefined if only the connection's end does. */
const announced = (message: IncomingMessage, method: string): number | 'chunked' | undefined => {
  if (method === 'HEAD' || BODYLESS.has(message.statusCode ?? 0)) return 0;
  if (message.headers['transfer-encoding'] !== undefined) return 'chunked';
  const length = message.headers['content-length'];
  return length === undefined ? undefined : Number(length);
};

/**
 * Guards a connection against response desynchronisation: an extra byte, a second response, or an unrequested one would be taken for the
 * beginning of the next response. A head that does not arrive in one piece, or after interim responses, is not measured and counts as
 * incomplete; so do chunks with a trailer.
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
