import { Worker } from 'node:worker_threads';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { newLeastServedQueue } from './least-served-queue.ts';

/** What is asked brings the bytes of a body, which are given away with it. */
type Asked = { readonly body: Uint8Array<ArrayBuffer> };
type Failed = { readonly kind: 'failed' };

/** `failed`: it took more memory or time than there is for it, or waited too long. */
export type ReadingThread<Each extends Asked, Told> = {
  /** In the turn of the tenant whose answer it is. */
  readonly tell: (tenant: string, asked: Each) => Promise<Told | Failed>;
  readonly close: () => Promise<void>;
};

type Job<Each, Told> = { readonly asked: Each; readonly untilMs: number; readonly done: (told: Told | Failed) => void };
type UnderWay<Each, Told> = { readonly tenant: string; readonly item: Job<Each, Told>; readonly beganMs: number };

const FAILED = { kind: 'failed' } as const;
const { largeAnswerHeapBytesMax, largeAnswerMs } = LIMITS.egress;

const startThread = (module: URL): Worker => {
  const thread = new Worker(module, {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: largeAnswerHeapBytesMax / 1_048_576, maxYoungGenerationSizeMb: 8, stackSizeMb: 2 },
  });
  thread.unref();
  return thread;
};

/** The thread, started when it is first needed; `ended` is told when it ends by itself. */
const newThread = <Told>(module: URL, told: (told: Told) => void, ended: () => void) => {
  let thread: Worker | undefined;
  const listening = (): Worker => {
    if (thread !== undefined) return thread;
    thread = startThread(module);
    thread.on('message', told);
    thread.once('error', ended);
    thread.once('exit', ended);
    return thread;
  };
  return {
    post: (asked: Asked): void => listening().postMessage(asked, [asked.body.buffer]),
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

/** A thread that is asked one thing at a time and answers each, by a failure what takes it too long; it is ended then, and another is started. */
const newAnsweringThread = <Told>(module: URL, answered: (told: Told | Failed) => void) => {
  let timer: NodeJS.Timeout | undefined;
  const settle = (told: Told | Failed): void => {
    clearTimeout(timer);
    answered(told);
  };
  const fail = (): void => {
    void thread.end();
    settle(FAILED);
  };
  const thread = newThread<Told>(module, settle, fail);
  return {
    ask: (asked: Asked): void => {
      timer = setTimeout(fail, largeAnswerMs);
      thread.post(asked);
    },
    end: async (): Promise<void> => {
      clearTimeout(timer);
      await thread.end();
    },
  };
};

/**
 * A worker thread for answers that are not read where decisions are made, started when the first one comes. One is read at a time; whoever calls
 * bounds how many wait, and `waitMsMax` how long. Next is the tenant that had the least of the thread's time. A thread that needs too long, or more memory than it was given,
 * is ended, and the next answer gets a new one.
 */
export const openReadingThread = <Each extends Asked, Told>(
  module: URL,
  waitMsMax = Number.POSITIVE_INFINITY,
): ReadingThread<Each, Told> => {
  const queue = newLeastServedQueue<Job<Each, Told>>();
  let underWay: UnderWay<Each, Told> | undefined;

  const thread = newAnsweringThread<Told>(module, (told) => {
    const ended = underWay;
    underWay = undefined;
    if (ended !== undefined) queue.charge(ended.tenant, performance.now() - ended.beganMs);
    ended?.item.done(told);
    begin();
  });
  const begin = (): void => {
    if (underWay !== undefined) return;
    const next = queue.take();
    if (next === undefined) return;
    if (performance.now() > next.item.untilMs) {
      next.item.done(FAILED);
      begin();
      return;
    }
    underWay = { ...next, beganMs: performance.now() };
    thread.ask(next.item.asked);
  };

  return {
    tell: (tenant, asked) =>
      new Promise((done) => {
        queue.push(tenant, { asked, done, untilMs: performance.now() + waitMsMax });
        begin();
      }),
    close: async () => {
      for (const { done } of queue.takeAll()) done(FAILED);
      underWay?.item.done(FAILED);
      underWay = undefined;
      await thread.end();
    },
  };
};
