import { newWeighedQueue, type WeighedQueue } from '@svc/fairness/queue/weighed-queue.ts';
import { type Departures, newDepartures } from './departures.ts';
import type { Waiting } from './settle-batch.ts';
import { MANY } from './under-way.ts';
import { newWaitingTime } from './waiting-time.ts';

export class QueueFullError extends Error {
  constructor() {
    super('the queue of writes is full: timeout of admission');
  }
}

/** Nothing of it was sent, so nothing of it is ever written. */
export class WaitedTooLongError extends Error {
  constructor() {
    super('a write waited too long for its turn and was given up: timeout of admission');
  }
}

export type Batcher<Item, Result> = {
  readonly add: (item: Item) => Promise<Result>;
  /** Resolves when nothing is queued or in flight. */
  readonly drain: () => Promise<void>;
  /** The number of queued items. */
  readonly queued: () => number;
};

export type BatcherSettings<Item, Result> = {
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly rowsMax: number;
  /** Items above this total weight are split into several batches, so that no one waits for all large items of another. */
  readonly weight?: { readonly of: (item: Item) => number; readonly max: number };
  readonly inFlightMax: number;
  readonly queueMax: number;
  /** Additional batches for rows of light keys, while another key has many in progress: they do not wait for those and do not join them. */
  readonly besideMax?: number;
  /** Enough rows for a round trip of their own: they go at once if a lane is free, next to another batch. */
  readonly ownBatchRows: number;
  /** Fair sharing when more waits than a batch holds: each key has the same part of it, and a maximum number waiting. */
  readonly share?: { readonly keyOf: (item: Item) => string; readonly queueMax: number };
  /** An item that waited this long is refused, and certainly not written later. Unlimited by default. */
  readonly waitMsMax?: number;
};

const giveUp = ({ reject }: { readonly reject: (error: unknown) => void }): true => {
  reject(new WaitedTooLongError());
  return true;
};

/** Admits an item if its key and the queue have capacity; returns false otherwise. */
const newAdmission = <Item, Result>(
  { queueMax, share }: BatcherSettings<Item, Result>,
  queue: WeighedQueue<Waiting<Item, Result>>,
): ((waiting: Waiting<Item, Result>) => boolean) => {
  const { keyOf = () => '', queueMax: keyMax = queueMax } = share ?? {};
  return (waiting) => {
    const key = keyOf(waiting.item);
    if (queue.size() >= queueMax || queue.sizeOf(key) >= keyMax) return false;
    queue.push(key, waiting);
    return true;
  };
};

/** Callers that wait until everything is done. */
const newDrains = (isDrained: () => boolean) => {
  let waiting: (() => void)[] = [];
  return {
    settle: (): void => {
      if (!isDrained()) return;
      for (const done of waiting) done();
      waiting = [];
    },
    wait: (): Promise<void> => (isDrained() ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
};

/** Bypass batches are limited to this part of a batch, so that they return quickly. */
const BESIDE_PART = 4;

type Dispatch = { readonly sendBeside: () => void; readonly sendInOrder: () => void };

/** Which of those who wait go in which batch. */
const newDispatch = <Item, Result>(
  { rowsMax, weight, besideMax = 0 }: BatcherSettings<Item, Result>,
  queue: WeighedQueue<Waiting<Item, Result>>,
  departures: Departures<Item, Result>,
): Dispatch => {
  const weightMax = weight?.max ?? Number.POSITIVE_INFINITY;
  /** Returns the keys that may bypass others; undefined while there are none. */
  const passing = (): ((key: string) => boolean) | undefined => {
    const isLight = departures.light();
    return isLight && ((key) => isLight(key) && queue.sizeOf(key) < MANY);
  };

  const sendBeside = (): void => {
    const isPassing = queue.size() > 0 && departures.count('beside') < besideMax ? passing() : undefined;
    if (isPassing) departures.send('beside', queue.takeOf(isPassing, rowsMax, weightMax / BESIDE_PART));
  };

  /** Keys that may bypass are left to that, unless nothing else waits. */
  const sendInOrder = (): void => {
    const isPassing = passing();
    const batch = isPassing === undefined ? [] : queue.takeOf((key) => !isPassing(key), rowsMax, weightMax);
    departures.send('inOrder', batch.length > 0 ? batch : queue.take(rowsMax, weightMax));
  };

  return { sendBeside, sendInOrder };
};

/** Group commit: what arrives while a batch is on its way goes together in the next. */
export const newBatcher = <Item, Result>(settings: BatcherSettings<Item, Result>): Batcher<Item, Result> => {
  const { of: weightOf = () => 0 } = settings.weight ?? {};
  const { inFlightMax, ownBatchRows, waitMsMax } = settings;
  const queue = newWeighedQueue<Waiting<Item, Result>>(({ item }) => weightOf(item));
  const admit = newAdmission(settings, queue);
  let scheduled = false;
  const drains = newDrains(() => queue.size() === 0 && departures.areOver());

  const time = newWaitingTime(waitMsMax, () => {
    for (const late of queue.takeLate(time.isOver)) giveUp(late);
    drains.settle();
    return queue.size() > 0;
  });

  const departures = newDepartures(settings, {
    giveUpLate: (one) => time.isOver(one) && giveUp(one),
    onReturn: () => flush(),
    onAnswered: drains.settle,
  });

  const isBatchDue = (): boolean => departures.count('inOrder') < inFlightMax && queue.size() >= ownBatchRows;

  const { sendBeside, sendInOrder } = newDispatch(settings, queue, departures);

  const flush = (): void => {
    scheduled = false;
    sendBeside();
    while (queue.size() > 0 && (departures.count('inOrder') === 0 || isBatchDue())) sendInOrder();
    sendBeside();
    if (queue.size() > 0) time.goOn();
    drains.settle();
  };

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        if (!admit({ item, resolve, reject, since: time.now() })) return reject(new QueueFullError());
        if (isBatchDue()) return flush();
        if (scheduled) return;
        scheduled = true;
        setImmediate(flush);
      }),
    drain: drains.wait,
    queued: queue.size,
  };
};
