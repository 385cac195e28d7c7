import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Waiting } from './settle-batch.ts';

/** The number answered per event-loop tick if a batch contained several keys: each answered caller continues at once. */
const ANSWERED_TOGETHER = 8;

/** Returns batch positions, those of the keys with the fewest first; undefined if all have one key. */
const fewestFirst = (keys: readonly string[]): readonly number[] | undefined => {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  if (counts.size < 2) return undefined;
  const countAt = (place: number): number => counts.get(keys[place] ?? '') ?? 0;
  return [...keys.keys()].sort((one, other) => countAt(one) - countAt(other));
};

const inParts = async (order: readonly number[], answer: (place: number) => void): Promise<void> => {
  for (const [at, place] of order.entries()) {
    if (at > 0 && at % ANSWERED_TOGETHER === 0) await nextTurn();
    answer(place);
  }
};

/**
 * Answers a whole batch: at once, or for several keys a few per event-loop tick, so that a caller with one request
 * does not wait for the work that follows another's requests. Resolves when done; undefined if it already is.
 */
export const answerBatch = <Item, Result>(
  batch: readonly Waiting<Item, Result>[],
  results: readonly Result[],
  keyOf: ((item: Item) => string) | undefined,
): Promise<void> | undefined => {
  const answer = (place: number): void => batch[place]?.resolve(results[place] as Result);
  const isMany = keyOf !== undefined && batch.length > ANSWERED_TOGETHER;
  const order = isMany ? fewestFirst(batch.map(({ item }) => keyOf(item))) : undefined;
  if (order !== undefined) return inParts(order, answer);
  for (const place of batch.keys()) answer(place);
  return undefined;
};
