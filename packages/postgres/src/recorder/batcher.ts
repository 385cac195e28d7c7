import { settleBatch, type Waiting } from './settle-batch.ts';

export class QueueFullError extends Error {
  constructor() {
    super('the queue of writes is full: timeout of admission');
  }
}

export type Batcher<Item, Result> = {
  readonly add: (item: Item) => Promise<Result>;
  /** Resolves when nothing is queued or in flight. */
  readonly drain: () => Promise<void>;
};

export type BatcherSettings<Item, Result> = {
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly rowsMax: number;
  readonly inFlightMax: number;
  readonly queueMax: number;
  /** As many are worth a round trip of their own: they go at once when a lane is free, and beside another batch. */
  readonly ownBatchRows: number;
};

/** Group commit: what arrives while a batch is on its way goes together in the next. */
export const newBatcher = <Item, Result>(settings: BatcherSettings<Item, Result>): Batcher<Item, Result> => {
  let queue: Waiting<Item, Result>[] = [];
  let inFlight = 0;
  let scheduled = false;
  let drained: (() => void)[] = [];

  const isBatchDue = (): boolean => inFlight < settings.inFlightMax && queue.length >= settings.ownBatchRows;

  const flush = (): void => {
    scheduled = false;
    while (queue.length > 0 && (inFlight === 0 || isBatchDue())) {
      const batch = queue.slice(0, settings.rowsMax);
      queue = queue.slice(settings.rowsMax);
      inFlight += 1;
      void settleBatch(settings.run, batch).finally(() => {
        inFlight -= 1;
        flush();
      });
    }
    if (queue.length === 0 && inFlight === 0) {
      for (const done of drained) done();
      drained = [];
    }
  };

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        if (queue.length >= settings.queueMax) return reject(new QueueFullError());
        queue.push({ item, resolve, reject });
        if (isBatchDue()) return flush();
        if (scheduled) return;
        scheduled = true;
        setImmediate(flush);
      }),
    drain: () => (queue.length === 0 && inFlight === 0 ? Promise.resolve() : new Promise((resolve) => drained.push(resolve))),
  };
};
