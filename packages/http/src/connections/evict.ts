import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type Connection, isAtWork } from './connection.ts';
import type { Holder } from './holders.ts';

const BARREN_MS = 100;

/** First who waits and never showed a credential. Who is at work for somebody known never is closed. */
const rankOf = (connection: Connection): number | undefined => {
  if (connection.isProven) return isAtWork(connection) ? undefined : 2;
  return isAtWork(connection) ? 1 : 0;
};

/** Those of a holder that are worth least, the longest unused first; so many that looking for them is rare. */
const look = (holder: Holder): void => {
  const ranked = [...holder.open].flatMap((connection) => {
    const rank = rankOf(connection);
    return rank === undefined || connection.socket.destroyed ? [] : [{ connection, rank, usedAt: connection.usedAt }];
  });
  ranked.sort((a, b) => a.rank - b.rank || a.usedAt - b.usedAt);
  holder.closable = ranked.slice(0, LIMITS.connections.lookedUpTogetherMax).reverse();
  if (ranked.length === 0) holder.barrenUntilMs = performance.now() + BARREN_MS;
};

const nextOf = (holder: Holder): Connection | undefined => {
  for (let next = holder.closable.pop(); next !== undefined; next = holder.closable.pop()) {
    const { connection, usedAt } = next;
    if (connection.usedAt === usedAt && !connection.socket.destroyed && rankOf(connection) !== undefined) return connection;
  }
  return undefined;
};

/** Closes one connection of this holder, and answers it; undefined where all of them are at work. */
export const evictOne = (holder: Holder): Connection | undefined => {
  const known = nextOf(holder);
  if (known === undefined && performance.now() >= holder.barrenUntilMs) look(holder);
  const chosen = known ?? nextOf(holder);
  chosen?.socket.destroy();
  return chosen;
};
