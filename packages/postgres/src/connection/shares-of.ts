import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type FairShares, newFairShares } from '@svc/fairness/semaphore/fair-shares.ts';

type Shares = {
  /** Of all connections of a pool. */
  readonly connections: FairShares;
  /** Of those that searches may use. */
  readonly searches: FairShares;
  /** Of the one connection that waits for a lock which everybody takes. */
  readonly locked: FairShares;
};

const known = new WeakMap<object, Shares>();

const halfOf = (count: number): number => Math.ceil(count / 2);

/** A quarter, but two where half are as many: one that waits for a row would keep an organization from all else, an emergency stop among it. */
const quarterOf = (count: number): number => Math.min(halfOf(count), Math.max(2, halfOf(halfOf(count))));

/**
 * Shares the connections of a pool out: an organization holds at most half of them, and a quarter while others ask. All searches together hold a quarter, and of each
 * organization half of that: they take much of the processors, and the rest is for what is quick.
 */
export const shareOut = (database: object, pool: { readonly connectionsMax: number; readonly timeoutMs: number }): void => {
  const { waitingPerOrganizationMax, waitingSearchesPerOrganizationMax, waitingForLockPerKeyMax, askedLatelyMs } = LIMITS.database;
  const half = halfOf(pool.connectionsMax);
  known.set(database, {
    connections: newFairShares({
      atOnceMax: pool.connectionsMax,
      perKeyMax: half,
      besideOthers: { perKeyMax: quarterOf(pool.connectionsMax), withinMs: askedLatelyMs },
      waitingPerKeyMax: waitingPerOrganizationMax,
      waitMsMax: pool.timeoutMs,
    }),
    searches: newFairShares({
      atOnceMax: halfOf(half),
      perKeyMax: halfOf(halfOf(half)),
      waitingPerKeyMax: waitingSearchesPerOrganizationMax,
      waitMsMax: halfOf(pool.timeoutMs),
    }),
    locked: newFairShares({ atOnceMax: 1, perKeyMax: 1, waitingPerKeyMax: waitingForLockPerKeyMax, waitMsMax: pool.timeoutMs }),
  });
};

/** How many wait for their organization's share of the connections, searches included. */
export const waitingForShare = (database: object): number => {
  const shares = known.get(database);
  return shares ? shares.connections.waiting() + shares.searches.waiting() : 0;
};

/** Runs what needs a connection when the organization's share has one. */
export const withConnection = <Result>(database: object, organizationId: string, work: () => Promise<Result>): Promise<Result> =>
  known.get(database)?.connections.run(organizationId, work) ?? work();

/** Runs a search when the share of the organization's searches, and then the organization's, has a connection. */
export const withSearch = <Result>(database: object, organizationId: string, work: () => Promise<Result>): Promise<Result> =>
  known.get(database)?.searches.run(organizationId, () => withConnection(database, organizationId, work)) ?? work();

/**
 * Runs what takes a lock that everybody's requests of this kind take. One connection of this process waits for it at a time, and whoever waits
 * for that takes turns by key: else strangers who ask at once would wait at the lock with every connection there is.
 */
export const withLockTurn = <Result>(database: object, key: string, work: () => Promise<Result>): Promise<Result> =>
  known.get(database)?.locked.run(key, work) ?? work();
