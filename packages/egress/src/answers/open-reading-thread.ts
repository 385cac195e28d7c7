import { Worker } from 'node:worker_threads';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { newLeastServedQueue } from './least-served-queue.ts';

/** A request that transfers the bytes of a body to the thread. */
type Asked = { readonly body: Uint8Array<ArrayBuffer> };
type Failed = { readonly kind: 'failed' };

/** `failed`: exceeded its memory or time, or waited too long. */
export type ReadingThread<Each extends Asked, Told> = {
  /** Reads in the time slice of the response's tenant. */
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

/** Starts the thread on first use; calls `ended` when it ends by itself. */
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
      // Messages during its termination are irrelevant.
      ending?.on('error', () => {});
      await ending?.terminate();
    },
  };
};

/**
 * A thread that handles one request at a time and answers each, with a failure after its timeout; it is then terminated and another is
 * started.
 */
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
 * A worker thread for responses that are not read in the decision thread, started for the first one. It reads one at a time; callers
 * bound the queue, and `waitMsMax` the wait. Next is the tenant that used the least of the thread's time. A thread that exceeds its time or
 * memory
 * is terminated, and the next response gets a new one.
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
