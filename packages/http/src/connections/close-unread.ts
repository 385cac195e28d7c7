import type { Server } from 'node:http';
import { type Connection, connectionOf, isIdle } from './connection.ts';

export type UnreadBounds = { readonly unreadMs: number; readonly unreadBytesMax: number };

const LOOK_EVERY_MS = 200;

/** Closes connections with the largest unread answers until half of the bound is free again. */
const closeLargest = (open: Iterable<Connection>, bytesMax: number): void => {
  const unread = [...open].map(({ socket }) => ({ socket, bytes: socket.writableLength })).filter(({ bytes }) => bytes > 0);
  let sum = unread.reduce((total, { bytes }) => total + bytes, 0);
  if (sum <= bytesMax) return;
  for (const { socket, bytes } of unread.sort((a, b) => b.bytes - a.bytes)) {
    if (sum <= bytesMax / 2) return;
    socket.destroy();
    sum -= bytes;
  }
};

/**
 * Answers that nobody reads are held for a bounded time and in bounded memory: a connection that took no byte of its answer for
 * `unreadMs` is closed, and when all unread answers together are too large, those with the largest are.
 * The server's own `timeout` must be `unreadMs`; it starts anew with every byte that is taken.
 */
export const closeUnread = (server: Server, open: ReadonlySet<Connection>, { unreadMs, unreadBytesMax }: UnreadBounds): void => {
  server.on('timeout', (socket) => {
    const connection = connectionOf(socket);
    // What is still being worked out is not the fault of whoever waits for it.
    if (connection && !isIdle(connection) && socket.writableLength === 0) socket.setTimeout(unreadMs);
    else socket.destroy();
  });
  const looking = setInterval(() => closeLargest(open, unreadBytesMax), LOOK_EVERY_MS).unref();
  server.once('close', () => clearInterval(looking));
};
