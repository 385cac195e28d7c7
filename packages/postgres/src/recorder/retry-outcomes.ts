import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { isUnavailable } from '../connection/is-unavailable.ts';
import type { OutcomeRow, OutcomeStands } from './record-outcomes.ts';

type Final = Exclude<OutcomeStands, 'again' | 'missing'>;

export type OutcomeWriter = {
  /** Resolves when the stored result is known; throws after a timeout. */
  readonly write: (outcome: OutcomeRow) => Promise<Final>;
  /** Resolves when nothing is tried any more. */
  readonly drain: () => Promise<void>;
};

const { retryMs, retryMsMax } = LIMITS.outcomes;

/** Twice as long after each attempt, and never the same for all that wait. */
const backoffMs = (attempt: number): number => Math.min(retryMs * 2 ** attempt, retryMsMax) * (0.5 + Math.random() / 2);

const orAgain = async (attempt: Promise<OutcomeStands>, isLate: () => boolean): Promise<OutcomeStands> => {
  try {
    return await attempt;
  } catch (error) {
    if (isLate() || !isUnavailable(error)) throw error;
    return 'again';
  }
};

/**
 * Retries outcomes while the database is unavailable, with exponential backoff. Writing one twice is idempotent, so
 * an attempt with an unknown result is simply repeated. The queue is bounded by the calls in progress,
 * since each of them keeps its slot until it is answered.
 */
export const newOutcomeWriter = (attempt: (outcome: OutcomeRow) => Promise<OutcomeStands>, withinMs: number): OutcomeWriter => {
  const underWay = new Set<Promise<unknown>>();

  const writeInTime = async (outcome: OutcomeRow): Promise<Final> => {
    const until = performance.now() + withinMs;
    const isLate = () => performance.now() >= until;
    for (let tried = 0; ; tried += 1) {
      const stands = await orAgain(attempt(outcome), isLate);
      if (stands === 'missing') return 'closed';
      if (stands !== 'again') return stands;
      if (isLate()) throw new Error('an outcome could not be recorded: timeout');
      await sleep(backoffMs(tried));
    }
  };

  return {
    write: (outcome) => {
      const writing = writeInTime(outcome);
      const settled = writing.then(
        () => undefined,
        () => undefined,
      );
      underWay.add(settled);
      void settled.then(() => underWay.delete(settled));
      return writing;
    },
    drain: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
};
