import type { Server } from 'node:http';
import { getConnection, isIdle, type ServerConnection } from './connection.ts';

export type UnreadBounds = { readonly unreadMs: number; readonly unreadBytesMax: number };

const LOOK_EVERY_MS = 200;

/** Closes connections with the largest unread responses until half of the limit is free again. */
const closeLargest = (open: Iterable<ServerConnection>, bytesMax: number): void => {
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
 * Bounds unread responses in time and memory: a connection without progress for `unreadMs` is closed, and if all unread responses together
 * are too large, those with the largest are. The server's own `timeout` must be `unreadMs`; it restarts with every byte that is read.
 */
export const closeUnread = (server: Server, open: ReadonlySet<ServerConnection>, { unreadMs, unreadBytesMax }: UnreadBounds): void => {
  server.on('timeout', (socket) => {
    const connection = getConnection(socket);
    // Work in progress is not the waiting client's fault.
    if (connection && !isIdle(connection) && socket.writableLength === 0) socket.setTimeout(unreadMs);
    else socket.destroy();
  });
  const looking = setInterval(() => closeLargest(open, unreadBytesMax), LOOK_EVERY_MS).unref();
  server.once('close', () => clearInterval(looking));
};
