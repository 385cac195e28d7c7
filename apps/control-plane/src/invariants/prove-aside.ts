import { Worker } from 'node:worker_threads';
import type { Found, Question, Reply } from './proof-worker.ts';

/** Nobody waits longer for one invariant; waiting for other proofs is not counted. */
const TIME_MAX_MS = 10_000;
/** What one proof may hold: the memory of the service itself is never used up. */
const MEMORY_MAX_MB = 256;

/** `found` as the thread says; `given_up` is the number of the place at which time or memory was used up. */
export type Aside = { readonly found: Found | null } | { readonly given_up: number };

type Thread = { readonly worker: Worker; hear: (reply: Reply | 'ended') => void };

let idle: Thread | null = null;

const start = (): Thread => {
  const worker = new Worker(new URL('./proof-worker.ts', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: MEMORY_MAX_MB } });
  const thread: Thread = { worker, hear: () => undefined };
  const end = (): void => {
    if (idle === thread) idle = null;
    thread.hear('ended');
  };
  worker.on('message', (reply: Reply) => thread.hear(reply));
  worker.on('error', end);
  worker.on('exit', end);
  return thread;
};

/** One thread is kept for the next question, and keeps no process alive. */
const keep = (thread: Thread): void => {
  thread.hear = () => undefined;
  if (idle !== null) return void thread.worker.terminate();
  idle = thread;
  thread.worker.unref();
};

/**
 * Proves on a thread of its own, so that no other call waits for a proof. A proof that takes too long or too much memory ends that thread and
 * nothing else: it counts as given up.
 */
export const proveAside = (question: Question): Promise<Aside> =>
  new Promise((resolve) => {
    const thread = idle ?? start();
    idle = null;
    let at = 0;
    const giveUp = (): void => {
      clearTimeout(timer);
      thread.hear = () => undefined;
      void thread.worker.terminate();
      resolve({ given_up: at });
    };
    const timer = setTimeout(giveUp, TIME_MAX_MS);
    thread.hear = (reply) => {
      if (reply === 'ended') return giveUp();
      if (reply.kind === 'looking') {
        at = reply.at;
        return;
      }
      clearTimeout(timer);
      keep(thread);
      resolve({ found: reply.found });
    };
    thread.worker.ref();
    thread.worker.postMessage(question);
  });
