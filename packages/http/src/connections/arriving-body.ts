import type { IncomingMessage } from 'node:http';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { ArrivingBody, ServerConnection } from './connection.ts';

/** Error for the reader of a body that arrived in too many chunks for its size. */
class BodyInCrumbs extends Error {
  readonly code = 'BODY_IN_CRUMBS';
  constructor() {
    super('The body arrived in too many small chunks.');
  }
}

/** Returns the state of the arriving body of this request; reset for a new request. */
export const getBodyState = ({ body }: ServerConnection, request: IncomingMessage): ArrivingBody => {
  if (body.of === request) return body;
  body.of = request;
  body.pieces = 0;
  body.bytes = 0;
  body.bytesLeft = Number.POSITIVE_INFINITY;
  body.isCut = false;
  return body;
};

export const isCut = ({ body }: ServerConnection, request: IncomingMessage): boolean => body.isCut && body.of === request;

/** The first chunks may have any size: a body that is generated while it is sent begins so. */
const isInCrumbs = ({ pieces, bytes }: ArrivingBody): boolean =>
  pieces > LIMITS.connections.smallPiecesMax && bytes < pieces * LIMITS.connections.pieceBytesMin;

type Parser = Record<number, unknown>;

/** Parsers whose body callback is currently removed, with the removed callback. */
let silenced: { readonly parser: Parser; readonly slot: number; readonly called: unknown }[] = [];

/** Restores callbacks. Parsers are pooled, so call this before another connection can get one. */
export const restoreParsers = (): void => {
  for (const { parser, slot, called } of silenced) parser[slot] = called;
  silenced = [];
};

/**
 * Removes the parser's body callback for the bytes that have arrived: the parser processes all of them before anything can pause it, and
 * calls back for each chunk of a body, 20 ms for 64 KiB in one-byte chunks. Without a callback it calls nothing. If the engine stores it
 * elsewhere, nothing is saved and nothing is lost.
 */
const silence = ({ parser }: { readonly parser?: Parser | null }): void => {
  if (!parser) return;
  const isCalled = (key: string): boolean => (parser[Number(key)] as { readonly name?: string } | null)?.name === 'parserOnBody';
  const slot = Number(Object.keys(parser).find(isCalled) ?? Number.NaN);
  if (Number.isNaN(slot)) return;
  if (silenced.length === 0) setImmediate(restoreParsers);
  silenced.push({ parser, slot, called: parser[slot] });
  parser[slot] = null;
};

const LOOK_EVERY_MS = 100;

/** Notifies the reader, now or a little later, that nothing more is accepted on this connection; a refused request has no reader. */
const tellReader = (connection: ServerConnection, request: IncomingMessage): void => {
  const { last, socket } = connection;
  if (last?.req === request && last.writableEnded) return;
  if (last?.req === request) last.shouldKeepAlive = false;
  if (request.listenerCount('error') > 0) request.emit('error', new BodyInCrumbs());
  else if (!socket.destroyed) setTimeout(tellReader, LOOK_EVERY_MS, connection, request).unref();
};

/**
 * Stops accepting this body and reading from its connection. It stays open until its timeout: if it were closed at once, the client would
 * only return with as much again.
 */
export const cutBody = (connection: ServerConnection, request: IncomingMessage): void => {
  getBodyState(connection, request).isCut = true;
  connection.isOverrun = true;
  connection.socket.pause();
};

/** True if a chunk of a body is accepted. The end of an aborted body is not, so that it does not look complete. */
export const acceptsChunk = (connection: ServerConnection, request: IncomingMessage, piece: Buffer | null): boolean => {
  const body = getBodyState(connection, request);
  if (!body.isCut) {
    if (piece === null) return true;
    body.pieces += 1;
    body.bytes += piece.length;
    body.bytesLeft -= piece.length;
    const inCrumbs = isInCrumbs(body);
    if (!inCrumbs && body.bytesLeft >= 0) return true;
    if (inCrumbs) process.nextTick(tellReader, connection, request);
  }
  cutBody(connection, request);
  if (piece !== null) silence(connection.socket as { readonly parser?: Parser | null });
  return false;
};
