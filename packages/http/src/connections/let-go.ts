import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { isAtWork, isIdle, type ServerConnection } from './connection.ts';

const LOOK_EVERY_MS = 100;

const OPEN = new WeakMap<Server, ReadonlySet<ServerConnection>>();

export const noteOpen = (server: Server, open: ReadonlySet<ServerConnection>): void => void OPEN.set(server, open);

const openOf = (servers: readonly Server[]): ServerConnection[] => servers.flatMap((server) => [...(OPEN.get(server) ?? [])]);

/** True for a connection that is not idle and not working: its request is incomplete, or its response unread. */
const isUnfinished = (connection: ServerConnection): boolean => !isIdle(connection) && !isAtWork(connection);

const closeUnlessAtWork = (servers: readonly Server[]): void => {
  for (const connection of openOf(servers)) if (!isAtWork(connection)) connection.socket.destroy();
};

/**
 * Closes unfinished connections before servers are closed, which waits for every connection: waits a short time while the servers go on,
 * and then closes all unfinished ones until it is stopped. Returns the function that stops it. A working connection is never closed.
 */
export const letGo = async (servers: readonly Server[]): Promise<() => void> => {
  const until = performance.now() + LIMITS.shutdown.unfinishedMs;
  while (performance.now() < until && openOf(servers).some(isUnfinished)) await sleep(LOOK_EVERY_MS);
  closeUnlessAtWork(servers);
  const closing = setInterval(closeUnlessAtWork, LOOK_EVERY_MS, servers);
  return () => clearInterval(closing);
};
