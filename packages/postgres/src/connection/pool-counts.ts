/** Connection pool counts: lent connections, idle ones, and waiting callers. */
export type PoolCounts = { readonly in_use: number; readonly idle: number; readonly waiting: number };

type Pool = { readonly totalCount: number; readonly idleCount: number; readonly waitingCount: number };

const known = new WeakMap<object, Pool>();

/** Remembers which pool is behind a database. */
export const notePool = (database: object, pool: Pool): void => void known.set(database, pool);

/**
 * Returns the counts of a database's connection pool; without a pool, nothing. Callers waiting for their organization's share are not
 * included.
 */
export const poolCounts = (database: object): PoolCounts => {
  const { totalCount, idleCount, waitingCount } = known.get(database) ?? { totalCount: 0, idleCount: 0, waitingCount: 0 };
  return { in_use: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
};
