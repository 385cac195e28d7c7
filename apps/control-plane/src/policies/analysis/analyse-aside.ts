import type { ChildProcess } from 'node:child_process';
import { NoShareError, newFairShares } from '@svc/fairness/semaphore/fair-shares.ts';
import { letRest, startAside } from '../../aside/start-aside.ts';
import type { Analysed, Question, Reply } from './analysis-worker.ts';

type Found = Reply['found'];

/** Of one analysis, the start of the process included; it bounds its own work to a few tenths of a second. */
const TIME_MAX_MS = 5_000;
const MEMORY_MAX_MB = 128;
/** One change of a tool is looked at by as many questions as there are versions in force, twice. */
export const ANALYSIS_TURNS = { atOnceMax: 1, perKeyMax: 1, waitingPerKeyMax: 200, waitMsMax: 4_000 };

const turns = newFairShares(ANALYSIS_TURNS);
let aside: ChildProcess | null = null;
let asked = 0;
const waiting = new Map<number, (found: Found | null) => void>();

/** Nobody keeps waiting for a process that ended, of itself or not; the next question starts another. */
const end = (ended: ChildProcess): void => {
  if (aside !== ended) return;
  aside = null;
  for (const answer of waiting.values()) answer(null);
  waiting.clear();
  ended.kill('SIGKILL');
};

const start = (): ChildProcess => {
  const started = startAside(new URL('./analysis-worker.ts', import.meta.url), MEMORY_MAX_MB);
  started.on('message', (message) => {
    const { id, found } = message as Reply;
    waiting.get(id)?.(found);
    waiting.delete(id);
  });
  started.on('error', () => end(started));
  started.on('exit', () => end(started));
  letRest(started);
  return started;
};

const ask = (question: Analysed): Promise<Found | null> =>
  new Promise((resolve) => {
    aside ??= start();
    const used = aside;
    asked += 1;
    const id = asked;
    const timer = setTimeout(() => end(used), TIME_MAX_MS);
    waiting.set(id, (found) => {
      clearTimeout(timer);
      resolve(found);
    });
    // What could not be sent is told by its end.
    used.send({ id, asked: question } satisfies Question, () => undefined);
  });

/**
 * Analyses a version in a process of its own [one worker process, asked one question after the other], so that nobody else waits for it: the
 * organizations that ask have one analysis each, and then the next. Null when it was not done in time or could not be done: saving a version
 * never fails by that.
 */
export const analyseAside = async (organizationId: string, question: Analysed): Promise<Found | null> => {
  try {
    return await turns.run(organizationId, () => ask(question));
  } catch (error) {
    if (error instanceof NoShareError) return null;
    throw error;
  }
};
