import { answerBatch } from './answer-batch.ts';
import type { BatcherSettings } from './batcher.ts';
import { settleBatch, type Waiting } from './settle-batch.ts';
import { countWeightedRows, newUnderWay } from './under-way.ts';

/** In order, or bypassing the batches of a heavy key. */
export type Way = 'inOrder' | 'beside';

export type Departures<Item, Result> = {
  /** Sends a batch; no effect for an empty one. */
  readonly send: (way: Way, batch: readonly Waiting<Item, Result>[]) => void;
  readonly count: (way: Way) => number;
  /** Returns true if every batch has returned and all its callers were answered. */
  readonly areOver: () => boolean;
  /** Returns light keys, while others are heavy; undefined while there are none, or no bypass is possible. */
  readonly light: () => ((key: string) => boolean) | undefined;
};

type Told<Item, Result> = {
  readonly giveUpLate: (one: Waiting<Item, Result>) => boolean;
  /** A way is free again. */
  readonly onReturn: () => void;
  readonly onAnswered: () => void;
};

/** Tracks batches in flight, and those that returned and are being answered. */
export const newDepartures = <Item, Result>(
  { run, share, weight, besideMax = 0 }: BatcherSettings<Item, Result>,
  { giveUpLate, onReturn, onAnswered }: Told<Item, Result>,
): Departures<Item, Result> => {
  const keyOf = share?.keyOf;
  const underWay = besideMax > 0 && keyOf ? { keyOf, ...newUnderWay() } : undefined;
  const isLight = (key: string): boolean => underWay?.isMany(key) === false;
  const countedOf = (item: Item): number => (weight === undefined ? 1 : countWeightedRows(weight.of(item), weight.max));
  const counts: Record<Way, number> = { inOrder: 0, beside: 0 };
  let answering = 0;

  const answer = (batch: readonly Waiting<Item, Result>[], results: readonly Result[]): void => {
    const answered = answerBatch(batch, results, keyOf);
    if (answered === undefined) return;
    answering += 1;
    void answered.finally(() => {
      answering -= 1;
      onAnswered();
    });
  };

  return {
    send: (way, batch) => {
      if (batch.length === 0) return;
      const isBack = underWay?.note(batch.map(({ item }) => ({ key: underWay.keyOf(item), rows: countedOf(item) })));
      counts[way] += 1;
      void settleBatch(run, batch, { answer, giveUpLate }).finally(() => {
        isBack?.();
        counts[way] -= 1;
        onReturn();
      });
    },
    count: (way) => counts[way],
    areOver: () => counts.inOrder + counts.beside + answering === 0,
    light: () => (underWay?.hasMany() ? isLight : undefined),
  };
};
