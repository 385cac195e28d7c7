import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type Connection, isAtWork, isIdle } from './connection.ts';

const LOOK_EVERY_MS = 100;

const OPEN = new WeakMap<Server, ReadonlySet<Connection>>();

export const noteOpen = (server: Server, open: ReadonlySet<Connection>): void => void OPEN.set(server, open);

const openOf = (servers: readonly Server[]): Connection[] => servers.flatMap((server) => [...(OPEN.get(server) ?? [])]);

/** Neither done nor at work: the request is not whole, or its answer lies unread. */
const isUnfinished = (connection: Connection): boolean => !isIdle(connection) && !isAtWork(connection);

const closeUnlessAtWork = (servers: readonly Server[]): void => {
  for (const connection of openOf(servers)) if (!isAtWork(connection)) connection.socket.destroy();
};

/**
 * Before servers are closed, which waits for every connection that is not done: gives what is unfinished a little time, while the servers go
 * on, and then closes it whenever it is seen, until told to stop. Answers how. What is at work is never touched.
 */
export const letGo = async (servers: readonly Server[]): Promise<() => void> => {
  const until = performance.now() + LIMITS.shutdown.unfinishedMs;
  while (performance.now() < until && openOf(servers).some(isUnfinished)) await sleep(LOOK_EVERY_MS);
  closeUnlessAtWork(servers);
  const closing = setInterval(closeUnlessAtWork, LOOK_EVERY_MS, servers);
  return () => clearInterval(closing);
};
