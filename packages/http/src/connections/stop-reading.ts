import { IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
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

Object.defineProperty(BoundedRequest, 'prototype', {
  value: Object.create(IncomingMessage.prototype, {
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
 * Reads nothing more from a connection that sent too far ahead. It is closed when what was taken of it is answered, or when its answers
 * lie unread for too long; closed at once, it would only come back with as much again.
 */
export const stopReading = (server: Server, unreadMs: number): void => {
  const stop = (_request: IncomingMessage, stream: Duplex): void => {
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
