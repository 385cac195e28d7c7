import { setTimeout as sleep } from 'node:timers/promises';
import type { Refusal } from '@svc/contract/rows/refusal.ts';
import { createWeightedFairQueue, type Turns } from '../../../aside/in-turn.ts';

/** A pause of the machine in the middle of a batch does not cause an equally long rest. */
const REST_MS_MAX = 25;

/**
 * Runs one batch of an organization at a time in this process, across all calls; the next one belongs to the organization with the least
 * recent time. The organization rests after each batch for as long as the batch took, so that it keeps the database busy at most half of
 * the time. The caller gets the response before the rest.
 */
export const createThrottledQueue = (
  atOnceMax: number,
  waitMsMax: number,
  inTurn: Turns = createWeightedFairQueue(atOnceMax, waitMsMax),
): Turns => {
  return async <Result>(organizationId: string, work: () => Promise<Result>): Promise<Result | Refusal<'RATE_LIMITED'>> => {
    const { promise: worked, resolve, reject } = Promise.withResolvers<Result>();
    const workAndRest = async (): Promise<null> => {
      const began = performance.now();
      await work().then(resolve, reject);
      await sleep(Math.min(performance.now() - began, REST_MS_MAX));
      return null;
    };
    const turn = async (): Promise<Result | Refusal<'RATE_LIMITED'>> => (await inTurn(organizationId, workAndRest)) ?? worked;
    return await Promise.race([worked, turn()]);
  };
};
