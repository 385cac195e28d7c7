import type { IncomingMessage } from 'node:http';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { ArrivingBody, Connection } from './connection.ts';

/** Told to whoever reads a body that came in too many pieces for what it holds. */
class BodyInCrumbs extends Error {
  readonly code = 'BODY_IN_CRUMBS';
  constructor() {
    super('The body arrived in too many small chunks.');
  }
}

/** What arrived of the body of this request; from the start where it is a new one. */
export const bodyOf = ({ body }: Connection, request: IncomingMessage): ArrivingBody => {
  if (body.of === request) return body;
  body.of = request;
  body.pieces = 0;
  body.bytes = 0;
  body.bytesLeft = Number.POSITIVE_INFINITY;
  body.isCut = false;
  return body;
};

export const isCut = ({ body }: Connection, request: IncomingMessage): boolean => body.isCut && body.of === request;

/** Its first pieces may be as small as they like: what is sent as it is made begins so. */
const isInCrumbs = ({ pieces, bytes }: ArrivingBody): boolean =>
  pieces > LIMITS.connections.smallPiecesMax && bytes < pieces * LIMITS.connections.pieceBytesMin;

type Parser = Record<number, unknown>;

/** Parsers that call nothing for a piece of a body at the moment, with what they called. */
let silenced: { readonly parser: Parser; readonly slot: number; readonly called: unknown }[] = [];

/** Parsers are of a pool: to be called before another connection can get one of these. */
export const restoreParsers = (): void => {
  for (const { parser, slot, called } of silenced) parser[slot] = called;
  silenced = [];
};

/**
 * Spares what is left of the bytes that have arrived: the parser goes through all of them before anything can pause it, and calls for each
 * chunk of a body, 20 ms for 64 KiB of chunks of one byte. It calls nothing where it has nothing to call. Where the engine keeps that
 * elsewhere, nothing is spared and nothing lost.
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

/** Tells whoever reads it, now or a little later, and that nothing more is taken on this connection; a request that was refused has no reader. */
const tellReader = (connection: Connection, request: IncomingMessage): void => {
  const { last, socket } = connection;
  if (last?.req === request && last.writableEnded) return;
  if (last?.req === request) last.shouldKeepAlive = false;
  if (request.listenerCount('error') > 0) request.emit('error', new BodyInCrumbs());
  else if (!socket.destroyed) setTimeout(tellReader, LOOK_EVERY_MS, connection, request).unref();
};

/**
 * No more of this body is taken, and nothing more is read from its connection. It is held until its time is over: closed at once, it would
 * only come back with as much again.
 */
export const cutBody = (connection: Connection, request: IncomingMessage): void => {
  bodyOf(connection, request).isCut = true;
  connection.isOverrun = true;
  connection.socket.pause();
};

/** Whether a piece of a body is taken. The end of one that was cut is not, so that it does not pass for whole. */
export const takesPiece = (connection: Connection, request: IncomingMessage, piece: Buffer | null): boolean => {
  const body = bodyOf(connection, request);
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
