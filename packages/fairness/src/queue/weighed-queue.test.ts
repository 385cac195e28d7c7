import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newWeighedQueue } from './weighed-queue.ts';

type Item = { readonly of: string; readonly weight: number };

const getQueue = (items: readonly Item[]) => {
  const queue = newWeighedQueue<Item>(({ weight }) => weight);
  for (const item of items) queue.push(item.of, item);
  return queue;
};
const heavy = (count: number): Item[] => Array.from({ length: count }, () => ({ of: 'heavy', weight: 60 }));
const light: Item = { of: 'light', weight: 1 };

test('takes light items together with the first heavy ones, however many of those came first', () => {
  const queue = getQueue([...heavy(100), light]);
  const first = queue.take(256, 100);
  assert.deepEqual([first.length, first.includes(light)], [3, true]);
  assert.deepEqual(queue.take(256, 100).length, 2);
  assert.equal(queue.size(), 96);
});

test('takes an item above the maximum weight alone, and light items together', () => {
  const queue = getQueue([{ of: 'a', weight: 1_000 }, light]);
  assert.equal(queue.take(256, 100).length, 1);
  assert.deepEqual(queue.take(256, 100), [light]);
  const many = getQueue(Array.from({ length: 90 }, () => light));
  assert.equal(many.take(80, 100).length, 80);
});
