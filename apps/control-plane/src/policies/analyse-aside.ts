import { Worker } from 'node:worker_threads';
import type { Analysed, Question, Reply } from './analysis-worker.ts';

type Found = Reply['found'];

/** From the question to the answer, waiting for others included. Whoever saves a version waits no longer. */
const TIME_MAX_MS = 5_000;
const MEMORY_MAX_MB = 128;

let thread: Worker | null = null;
let asked = 0;
const waiting = new Map<number, (found: Found | null) => void>();

/** Nobody keeps waiting for a thread that ended, of itself or not; the next question starts another. */
const end = (ended: Worker): void => {
  if (thread !== ended) return;
  thread = null;
  for (const answer of waiting.values()) answer(null);
  waiting.clear();
  void ended.terminate();
};

const start = (): Worker => {
  const started = new Worker(new URL('./analysis-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MAX_MB },
  });
  started.on('message', ({ id, found }: Reply) => {
    waiting.get(id)?.(found);
    waiting.delete(id);
  });
  started.on('error', () => end(started));
  started.on('exit', () => end(started));
  // Last, since a listener would keep the process alive again.
  started.unref();
  return started;
};

/**
 * Analyses a version on a thread of its own, so that nobody else waits for it. Null when it was not done in time or could not be done:
 * saving a version never fails by that.
 */
export const analyseAside = (question: Analysed): Promise<Found | null> =>
  new Promise((resolve) => {
    thread ??= start();
    const used = thread;
    asked += 1;
    const id = asked;
    const timer = setTimeout(() => end(used), TIME_MAX_MS);
    waiting.set(id, (found) => {
      clearTimeout(timer);
      resolve(found);
    });
    used.postMessage({ id, asked: question } satisfies Question);
  });
