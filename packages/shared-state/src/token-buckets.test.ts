import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newTokenBuckets } from './token-buckets.ts';

const open = (keysMax = 10) => {
  const clock = { ms: 0 };
  return { clock, take: newTokenBuckets({ burstMax: 3, perSecond: 2, keysMax }, () => clock.ms) };
};
const taken = (take: (key: string) => number | undefined, key: string, times: number) =>
  Array.from({ length: times }, () => take(key)).filter((each) => each === undefined).length;

test('a burst is let through at once, then only what comes back, and never more than a burst however long nobody came', () => {
  const { clock, take } = open();
  assert.equal(taken(take, 'a', 10), 3);
  assert.equal(take('a'), 1);
  clock.ms += 1_000;
  assert.equal(taken(take, 'a', 10), 2);
  clock.ms += 1_000_000;
  assert.equal(taken(take, 'a', 10), 3);
});

test('a try that is refused costs nothing of what comes back', () => {
  const { clock, take } = open();
  taken(take, 'a', 3);
  for (let n = 0; n < 9; n += 1) {
    clock.ms += 50;
    assert.equal(take('a'), 1);
  }
  clock.ms += 60;
  assert.equal(take('a'), undefined);
});

test('each key has its own, of a bounded number: the one used least lately goes', () => {
  const { take } = open(2);
  taken(take, 'a', 3);
  assert.equal(taken(take, 'b', 5), 3);
  assert.equal(take('a'), 1);
  take('c');
  assert.equal(take('a'), 1, 'used after b, and so still held');
  assert.equal(taken(take, 'b', 5), 3);
});
