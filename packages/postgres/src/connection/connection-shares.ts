import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type FairShares, newFairShares } from '@svc/fairness/semaphore/fair-shares.ts';

type Shares = {
  /** All connections of a pool. */
  readonly connections: FairShares;
  /** Those available to searches. */
  readonly searches: FairShares;
  /** The one connection that waits for a shared lock. */
  readonly locked: FairShares;
};

const known = new WeakMap<object, Shares>();

const halfOf = (count: number): number => Math.ceil(count / 2);

/**
 * A quarter, but two if half are as many: one that waits for a row would block an organization from everything else, an emergency stop
 * included.
 */
const getQuarter = (count: number): number => Math.min(halfOf(count), Math.max(2, halfOf(halfOf(count))));

/**
 * Shares the connections of a pool (bulkhead): an organization holds at most half of them, and a quarter while others are active. All
 * searches together hold a quarter, and of each
 * organization half of that: they use much processor time, and the rest is for quick queries.
 */
export const shareOut = (database: object, pool: { readonly connectionsMax: number; readonly timeoutMs: number }): void => {
  const { waitingPerOrganizationMax, waitingSearchesPerOrganizationMax, waitingForLockPerKeyMax, askedLatelyMs } = LIMITS.database;
  const half = halfOf(pool.connectionsMax);
  known.set(database, {
    connections: newFairShares({
      atOnceMax: pool.connectionsMax,
      perKeyMax: half,
      besideOthers: { perKeyMax: getQuarter(pool.connectionsMax), withinMs: askedLatelyMs },
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

/** Counts callers that wait for their organization's share of the connections, searches included. */
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
 * Runs work that takes a lock shared by all requests of its kind. One connection of this process waits for it at a time, and the others
 * take turns by key: otherwise unauthenticated clients could block every connection at the lock.
 */
export const withLockTurn = <Result>(database: object, key: string, work: () => Promise<Result>): Promise<Result> =>
  known.get(database)?.locked.run(key, work) ?? work();
