import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type Batcher, newBatcher } from './batcher.ts';

/** A connection of its own, on which one batch runs at a time. */
export type BatchLane<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

/** How waiting items are shared. */
export type Shared<Item> = {
  readonly keyOf: (item: Item) => string;
  /** Returns the length of its text in characters, if that may be large. */
  readonly charsOf?: (item: Item) => number;
  readonly waitMsMax: number;
  /** Lanes reserved for rows that would wait for a heavy key. */
  readonly besideMax?: number;
  readonly queuedMax?: number;
  readonly queuedPerKeyMax?: number;
  /** Called for each batch that is sent. */
  readonly onBatch?: ((rows: number) => void) | undefined;
};

/** Runs batches over lanes with a connection each, taken by the next batch; waiting organizations take turns. */
export const overLanes = <Item, Result>(lanes: readonly BatchLane<Item, Result>[], shared: Shared<Item>): Batcher<Item, Result> => {
  const free = [...lanes];
  const { batchRowsMax, batchCharsMax } = LIMITS.recording;
  const { keyOf, charsOf, waitMsMax, onBatch, besideMax = 0, queuedMax = LIMITS.recording.queuedMax } = shared;
  return newBatcher({
    rowsMax: batchRowsMax,
    ...(charsOf === undefined ? {} : { weight: { of: charsOf, max: batchCharsMax } }),
    inFlightMax: lanes.length - besideMax,
    besideMax,
    queueMax: queuedMax,
    ownBatchRows: 12,
    share: { keyOf, queueMax: shared.queuedPerKeyMax ?? LIMITS.recording.queuedPerOrganizationMax },
    waitMsMax,
    run: async (items) => {
      const lane = free.pop();
      if (!lane) throw new Error('more batches in flight than lanes');
      onBatch?.(items.length);
      return await lane(items).finally(() => free.push(lane));
    },
  });
};
