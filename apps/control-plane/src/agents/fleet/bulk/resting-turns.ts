import { setTimeout as sleep } from 'node:timers/promises';
import type { Refusal } from '@svc/contract/rows/refusal.ts';
import { newChargedTurns, type Turns } from '../../../aside/in-turn.ts';

/** A halt of the machine in the middle of a batch is not slept through a second time. */
const REST_MS_MAX = 25;

/**
 * Runs a batch when it is the turn of its organization, of which one is under way at a time in this process, in however many calls; the turn goes
 * to whoever had the least time lately. The organization rests after each batch for as long as that took, so that the database is at most
 * half of the time busy with it; who waits for the batch is answered before.
 */
export const newRestingTurns = (atOnceMax: number, waitMsMax: number, inTurn: Turns = newChargedTurns(atOnceMax, waitMsMax)): Turns => {
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
