import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { type FairShares, NoShareError, newFairShares } from '@svc/fairness/semaphore/fair-shares.ts';
import { newSpentTime, type SpentTime } from './spent-time.ts';

/** Runs work with fair queueing by organization, or refuses it if too much of the organization waits or it waited too long. */
export type Turns = <Result>(organizationId: string, work: () => Promise<Result>) => Promise<Result | Refusal<'RATE_LIMITED'>>;

/** Waiting work is held in memory, so each organization has this limit. */
const WAITING_MAX = 10;
/** An HTTP caller has given up by then. */
const WAIT_MAX_MS = 30_000;
const OWN_CROWDED = 'Too many requests of this kind are in progress for this organization. Try again later.';
const ALL_CROWDED = 'Too many requests of this kind are in progress. Try again later.';

/**
 * Runs long, expensive work: a few at a time in this process and one at a time per organization, round-robin across waiting organizations,
 * so that an organization with many requests does not slow down others.
 */
export const createFairQueue = (atOnceMax: number, waitMsMax = WAIT_MAX_MS): Turns =>
  turnsOf(newFairShares({ atOnceMax, perKeyMax: 1, waitingPerKeyMax: WAITING_MAX, waitMsMax }));

/**
 * Like `createFairQueue`, for work whose duration the caller controls: the next one belongs to the organization with the least recent time, so
 * that organizations which repeat the most expensive work delay no one beyond the work in progress.
 */
export const createWeightedFairQueue = (atOnceMax: number, waitMsMax: number, spent: SpentTime = newSpentTime()): Turns => {
  const inTurn = turnsOf(newFairShares({ atOnceMax, perKeyMax: 1, waitingPerKeyMax: WAITING_MAX, waitMsMax, spentBy: spent.of }));
  return (organizationId, work) =>
    inTurn(organizationId, async () => {
      const begun = performance.now();
      try {
        return await work();
      } finally {
        spent.add(organizationId, performance.now() - begun);
      }
    });
};

const turnsOf = (shares: FairShares): Turns => {
  return async (organizationId, work) => {
    try {
      return await shares.run(organizationId, work);
    } catch (error) {
      if (!(error instanceof NoShareError)) throw error;
      return buildRefusal('RATE_LIMITED', error.own ? OWN_CROWDED : ALL_CROWDED, { retry_after_seconds: 10 });
    }
  };
};
