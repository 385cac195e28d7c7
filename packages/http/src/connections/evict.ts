import { LIMITS } from '@svc/contract/tables/limits.ts';
import { isAtWork, type ServerConnection } from './connection.ts';
import type { Holder } from './holders.ts';

const BARREN_MS = 100;

/**
 * Ranks connections for eviction: first waiting ones that never authenticated. One that works for an authenticated caller is never closed.
 */
const getRank = (connection: ServerConnection): number | undefined => {
  if (connection.isProven) return isAtWork(connection) ? undefined : 2;
  return isAtWork(connection) ? 1 : 0;
};

/** Lists connections of a tenant key in order of eviction, the least recently used first; enough that listing is rare. */
const look = (holder: Holder): void => {
  const ranked = [...holder.open].flatMap((connection) => {
    const rank = getRank(connection);
    return rank === undefined || connection.socket.destroyed ? [] : [{ connection, rank, usedAt: connection.usedAt }];
  });
  ranked.sort((a, b) => a.rank - b.rank || a.usedAt - b.usedAt);
  holder.closable = ranked.slice(0, LIMITS.connections.lookedUpTogetherMax).reverse();
  if (ranked.length === 0) holder.barrenUntilMs = performance.now() + BARREN_MS;
};

const nextOf = (holder: Holder): ServerConnection | undefined => {
  for (let next = holder.closable.pop(); next !== undefined; next = holder.closable.pop()) {
    const { connection, usedAt } = next;
    if (connection.usedAt === usedAt && !connection.socket.destroyed && getRank(connection) !== undefined) return connection;
  }
  return undefined;
};

/** Closes one connection of a tenant key and returns it; undefined if all of them are working. */
export const evictOne = (holder: Holder): ServerConnection | undefined => {
  const known = nextOf(holder);
  if (known === undefined && performance.now() >= holder.barrenUntilMs) look(holder);
  const chosen = known ?? nextOf(holder);
  chosen?.socket.destroy();
  return chosen;
};
