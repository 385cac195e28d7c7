import { Worker } from 'node:worker_threads';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { newLeastServedQueue } from './least-served-queue.ts';
import type { LargeBody, Told } from './tell-large.ts';

/** `failed`: it took more memory or time than there is for it. */
export type LargeAnswers = {
  /** In the turn of the tenant whose answer it is. */
  readonly tell: (tenant: string, large: LargeBody) => Promise<Told | { readonly kind: 'failed' }>;
  readonly close: () => Promise<void>;
};

type Job = { readonly large: LargeBody; readonly done: (told: Told | { readonly kind: 'failed' }) => void };
type UnderWay = { readonly tenant: string; readonly item: Job; readonly beganMs: number };

const FAILED = { kind: 'failed' } as const;
const { largeAnswerHeapBytesMax, largeAnswerMs } = LIMITS.egress;

const startThread = (): Worker => {
  const thread = new Worker(new URL('./large-answers-thread.ts', import.meta.url), {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: largeAnswerHeapBytesMax / 1_048_576, maxYoungGenerationSizeMb: 16, stackSizeMb: 2 },
  });
  thread.unref();
  return thread;
};

/** The thread, started when it is first needed; `ended` is told when it ends by itself. */
const newThread = (told: (told: Told) => void, ended: () => void) => {
  let thread: Worker | undefined;
  const listening = (): Worker => {
    if (thread !== undefined) return thread;
    thread = startThread();
    thread.on('message', told);
    thread.once('error', ended);
    thread.once('exit', ended);
    return thread;
  };
  return {
    post: (large: LargeBody): void => listening().postMessage(large, [large.body.buffer]),
    end: async (): Promise<void> => {
      const ending = thread;
      thread = undefined;
      ending?.removeAllListeners();
      // What it says while it is ended concerns nobody any more.
      ending?.on('error', () => {});
      await ending?.terminate();
    },
  };
};

/**
 * A worker thread for answers that are too large to be read where decisions are made, started when the first one comes. One is read at a time;
 * whoever calls holds a slot for it, so that the queue is as short as there are slots. Next is the tenant that had the least of the thread's time. A thread that needs too long, or more memory than it
 * was given, is ended, and the next answer gets a new one.
 */
export const openLargeAnswers = (): LargeAnswers => {
  const queue = newLeastServedQueue<Job>();
  let underWay: UnderWay | undefined;
  let timer: NodeJS.Timeout | undefined;

  const settle = (told: Parameters<Job['done']>[0]): void => {
    clearTimeout(timer);
    const ended = underWay;
    underWay = undefined;
    if (ended !== undefined) queue.charge(ended.tenant, performance.now() - ended.beganMs);
    ended?.item.done(told);
    begin();
  };
  const fail = (): void => {
    void thread.end();
    settle(FAILED);
  };
  const thread = newThread(settle, fail);
  const begin = (): void => {
    if (underWay !== undefined) return;
    const next = queue.take();
    if (next === undefined) return;
    underWay = { ...next, beganMs: performance.now() };
    timer = setTimeout(fail, largeAnswerMs);
    thread.post(next.item.large);
  };

  return {
    tell: (tenant, large) =>
      new Promise((done) => {
        queue.push(tenant, { large, done });
        begin();
      }),
    close: async () => {
      for (const { done } of queue.takeAll()) done(FAILED);
      clearTimeout(timer);
      underWay?.item.done(FAILED);
      underWay = undefined;
      await thread.end();
    },
  };
};
