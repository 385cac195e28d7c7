import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import { NoShareError, newFairShares } from '@svc/postgres/connection/fair-shares.ts';

/** Runs work when its turn has come [fair queueing by organization], or refuses it where too much of the organization waits already or it waited too long. */
export type Turns = <Result>(organizationId: string, work: () => Promise<Result>) => Promise<Result | Refusal<'RATE_LIMITED'>>;

/** What waits is held in memory, so no organization has more than this wait. */
const WAITING_MAX = 10;
/** Whoever asks over HTTP has given up by then. */
const WAIT_MAX_MS = 30_000;
const OWN_CROWDED = 'Too much of this kind is being worked out for this organization already; ask again later.';
const ALL_CROWDED = 'Too much of this kind is being worked out for other organizations at this moment; ask again later.';

/**
 * Runs long work that costs much, a few at a time in this process and one at a time for each organization, so that whoever asks for many of
 * them slows down nobody else: the organizations that wait have one turn each, and then the next.
 */
export const newTurns = (atOnceMax: number, waitMsMax = WAIT_MAX_MS): Turns => {
  const shares = newFairShares({ atOnceMax, perKeyMax: 1, waitingPerKeyMax: WAITING_MAX, waitMsMax });
  return async (organizationId, work) => {
    try {
      return await shares.run(organizationId, work);
    } catch (error) {
      if (!(error instanceof NoShareError)) throw error;
      return refusal('RATE_LIMITED', error.own ? OWN_CROWDED : ALL_CROWDED, { retry_after_seconds: 10 });
    }
  };
};
