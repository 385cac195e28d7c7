/** Of a pool: connections lent out, open ones that rest, and how many wait for one. */
export type PoolCounts = { readonly in_use: number; readonly idle: number; readonly waiting: number };

type Pool = { readonly totalCount: number; readonly idleCount: number; readonly waitingCount: number };

const known = new WeakMap<object, Pool>();

/** Remembers which pool is behind a database. */
export const notePool = (database: object, pool: Pool): void => void known.set(database, pool);

/** How a database's pool stands; of one without a pool, nothing. Who waits for its organization's share is not among these. */
export const poolCounts = (database: object): PoolCounts => {
  const { totalCount, idleCount, waitingCount } = known.get(database) ?? { totalCount: 0, idleCount: 0, waitingCount: 0 };
  return { in_use: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
};
