import { IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { isCut, restoreParsers, takesPiece } from './arriving-body.ts';
import { connectionOf, isFull } from './connection.ts';

/**
 * A request whose parsing ends the connection's when too many were sent ahead of their answers. Parsing cannot be paused within the bytes
 * that have arrived, and these may hold thousands of requests; it ends where a protocol is upgraded, so that is what this says.
 * What a request itself asks in a header Upgrade is passed over. It is constructed and not called on another, so that the engine lays it out
 * at once as what it is and does not add member by member.
 */
export const BoundedRequest = function (this: IncomingMessage, socket: Socket): IncomingMessage {
  return Reflect.construct(IncomingMessage, [socket], new.target);
} as unknown as typeof IncomingMessage;

/** What the server itself calls of a request, and its types do not name. */
type Internals = IncomingMessage & { readonly _dump: () => void };
const INTERNALS = IncomingMessage.prototype as Internals;

Object.defineProperty(BoundedRequest, 'prototype', {
  value: Object.create(IncomingMessage.prototype, {
    push: {
      value(this: IncomingMessage, piece: Buffer | null, encoding?: BufferEncoding): boolean {
        const connection = connectionOf(this.socket);
        return (connection === undefined || takesPiece(connection, this, piece)) && INTERNALS.push.call(this, piece, encoding);
      },
    },
    // What was cut is not asked for again, which would read on.
    _read: {
      value(this: IncomingMessage, size: number): void {
        const connection = connectionOf(this.socket);
        if (connection === undefined || !isCut(connection, this)) INTERNALS._read.call(this, size);
      },
    },
    // Thrown away piece by piece, so that what is left of an answered body is counted on.
    _dump: {
      value(this: Internals): void {
        if (this.complete || connectionOf(this.socket) === undefined) INTERNALS._dump.call(this);
        else this.removeAllListeners('data').resume();
      },
    },
    upgrade: {
      get(this: IncomingMessage): boolean {
        const connection = connectionOf(this.socket);
        return connection !== undefined && isFull(connection);
      },
      set: () => undefined,
    },
  }),
});

/**
 * Reads nothing more from a connection that sent too far ahead, or a body that is read no further. It is closed when what was taken of it is answered, or when its answers
 * lie unread for too long; closed at once, it would only come back with as much again.
 */
export const stopReading = (server: Server, unreadMs: number): void => {
  const stop = (_request: IncomingMessage, stream: Duplex): void => {
    // The parser of this connection is free by now.
    restoreParsers();
    const socket = stream as Socket;
    const connection = connectionOf(socket);
    if (connection === undefined) return void socket.destroy();
    connection.isOverrun = true;
    socket.on('error', () => socket.destroy());
    socket.pause().setTimeout(unreadMs, () => socket.destroy());
  };
  // Which of the two it is called by depends on the method that was parsed last.
  server.on('upgrade', stop).on('connect', stop);
};
