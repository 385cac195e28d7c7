import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import { type FairShares, NoShareError, newFairShares } from '@svc/fairness/semaphore/fair-shares.ts';
import { newSpentTime, type SpentTime } from './spent-time.ts';

/** Runs work when its turn has come [fair queueing by organization], or refuses it where too much of the organization waits already or it waited too long. */
export type Turns = <Result>(organizationId: string, work: () => Promise<Result>) => Promise<Result | Refusal<'RATE_LIMITED'>>;

/** What waits is held in memory, so no organization has more than this wait. */
const WAITING_MAX = 10;
/** Whoever asks over HTTP has given up by then. */
const WAIT_MAX_MS = 30_000;
const OWN_CROWDED = 'Too many requests of this kind are in progress for this organization. Try again later.';
const ALL_CROWDED = 'Too many requests of this kind are in progress. Try again later.';

/**
 * Runs long work that costs much, a few at a time in this process and one at a time for each organization, so that whoever asks for many of
 * them slows down nobody else: the organizations that wait have one turn each, and then the next.
 */
export const newTurns = (atOnceMax: number, waitMsMax = WAIT_MAX_MS): Turns =>
  turnsOf(newFairShares({ atOnceMax, perKeyMax: 1, waitingPerKeyMax: WAITING_MAX, waitMsMax }));

/**
 * The same for work of which a stranger says how long it takes: the turn goes to the organization that has had the least time lately, so that
 * some that have the dearest of works done again and again keep nobody waiting for more than what is being done already.
 */
export const newChargedTurns = (atOnceMax: number, waitMsMax: number, spent: SpentTime = newSpentTime()): Turns => {
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
      return refusal('RATE_LIMITED', error.own ? OWN_CROWDED : ALL_CROWDED, { retry_after_seconds: 10 });
    }
  };
};
