import { IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { acceptsChunk, isCut, restoreParsers } from './arriving-body.ts';
import { getConnection, isFull } from './connection.ts';

/**
 * A request whose parsing ends the parsing of the connection if too many were pipelined. Parsing cannot be paused within the bytes that
 * have arrived, which may hold thousands of requests; it ends at a protocol upgrade, so this claims to be one. An Upgrade header of the
 * client is ignored. It is a constructor function instead of a wrapper, so that the engine gives all instances one shape.
 */
export const BoundedRequest = function (this: IncomingMessage, socket: Socket): IncomingMessage {
  return Reflect.construct(IncomingMessage, [socket], new.target);
} as unknown as typeof IncomingMessage;

/** Methods of a request that the server itself calls and its types omit. */
type Internals = IncomingMessage & { readonly _dump: () => void };
const INTERNALS = IncomingMessage.prototype as Internals;

Object.defineProperty(BoundedRequest, 'prototype', {
  value: Object.create(IncomingMessage.prototype, {
    push: {
      value(this: IncomingMessage, piece: Buffer | null, encoding?: BufferEncoding): boolean {
        const connection = getConnection(this.socket);
        return (connection === undefined || acceptsChunk(connection, this, piece)) && INTERNALS.push.call(this, piece, encoding);
      },
    },
    // An aborted body is not requested again, which would continue reading.
    _read: {
      value(this: IncomingMessage, size: number): void {
        const connection = getConnection(this.socket);
        if (connection === undefined || !isCut(connection, this)) INTERNALS._read.call(this, size);
      },
    },
    // Discards chunk by chunk, so that the rest of an answered body is counted too.
    _dump: {
      value(this: Internals): void {
        if (this.complete || getConnection(this.socket) === undefined) INTERNALS._dump.call(this);
        else this.removeAllListeners('data').resume();
      },
    },
    upgrade: {
      get(this: IncomingMessage): boolean {
        const connection = getConnection(this.socket);
        return connection !== undefined && isFull(connection);
      },
      set: () => undefined,
    },
  }),
});

/**
 * Stops reading from a connection that pipelined too much, or sent a body that is not accepted. It is closed when its accepted requests are
 * answered, or when its responses stay unread for too long; if it were closed at once, the client would only return with as much again.
 */
export const stopReading = (server: Server, unreadMs: number): void => {
  const stop = (_request: IncomingMessage, stream: Duplex): void => {
    // The parser of this connection is free by now.
    restoreParsers();
    const socket = stream as Socket;
    const connection = getConnection(socket);
    if (connection === undefined) return void socket.destroy();
    connection.isOverrun = true;
    socket.on('error', () => socket.destroy());
    socket.pause().setTimeout(unreadMs, () => socket.destroy());
  };
  // Which of the two events is emitted depends on the method that was parsed last.
  server.on('upgrade', stop).on('connect', stop);
};
