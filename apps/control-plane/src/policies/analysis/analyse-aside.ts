import type { ChildProcess } from 'node:child_process';
import { NoShareError, newFairShares } from '@svc/fairness/semaphore/fair-shares.ts';
import { startWorkerProcess, unrefChild } from '../../aside/start-aside.ts';
import type { Analysed, AnalysisReply, AnalysisTask } from './analysis-worker.ts';

type Found = AnalysisReply['found'];

/** Maximum duration of one analysis, including the start of the process. It bounds its own work to some tenths of a second. */
const TIME_MAX_MS = 5_000;
const MEMORY_MAX_MB = 128;
/** One change of a tool is analysed twice for each version in force. */
export const ANALYSIS_QUEUE = { atOnceMax: 1, perKeyMax: 1, waitingPerKeyMax: 200, waitMsMax: 4_000 };

const turns = newFairShares(ANALYSIS_QUEUE);
let aside: ChildProcess | null = null;
let asked = 0;
const waiting = new Map<number, (found: Found | null) => void>();

/** Rejects the pending question when the process ends; the next question starts another process. */
const end = (ended: ChildProcess): void => {
  if (aside !== ended) return;
  aside = null;
  for (const answer of waiting.values()) answer(null);
  waiting.clear();
  ended.kill('SIGKILL');
};

const start = (): ChildProcess => {
  const started = startWorkerProcess(new URL('./analysis-worker.ts', import.meta.url), MEMORY_MAX_MB);
  started.on('message', (message) => {
    const { id, found } = message as AnalysisReply;
    waiting.get(id)?.(found);
    waiting.delete(id);
  });
  started.on('error', () => end(started));
  started.on('exit', () => end(started));
  unrefChild(started);
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
    // A message that could not be sent is reported by the end of the process.
    used.send({ id, asked: question } satisfies AnalysisTask, () => undefined);
  });

/**
 * Analyses a version in a worker process, one question at a time, round-robin across organizations, so that no other request waits for it.
 * Null if it was not done in time or failed: saving a version never fails because of it.
 */
export const analyseInWorkerProcess = async (organizationId: string, question: Analysed): Promise<Found | null> => {
  try {
    return await turns.run(organizationId, () => ask(question));
  } catch (error) {
    if (error instanceof NoShareError) return null;
    throw error;
  }
};
