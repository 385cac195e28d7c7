import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Waiting } from './settle-batch.ts';

/** So many are answered in one turn of the event loop where those of several keys were in a batch: whoever is answered goes on at once. */
const ANSWERED_TOGETHER = 8;

/** Places in a batch, those of the keys with the fewest first; undefined where all are of one key. */
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
 * Answers all of a batch: at once, or where they are of several keys a few in each turn of the event loop, so that whoever asked for one thing
 * does not wait for all that follows from what somebody else asked for. Answers when that has ended; undefined where it has.
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
