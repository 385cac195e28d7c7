import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newTokenBuckets } from './token-buckets.ts';

const open = (keysMax = 10) => {
  const clock = { ms: 0 };
  return { clock, take: newTokenBuckets({ burstMax: 3, perSecond: 2, keysMax }, () => clock.ms) };
};
const taken = (take: (key: string) => number | undefined, key: string, times: number) =>
  Array.from({ length: times }, () => take(key)).filter((each) => each === undefined).length;

test('admits a burst at once, then the refill rate, and never more than a burst after any pause', () => {
  const { clock, take } = open();
  assert.equal(taken(take, 'a', 10), 3);
  assert.equal(take('a'), 1);
  clock.ms += 1_000;
  assert.equal(taken(take, 'a', 10), 2);
  clock.ms += 1_000_000;
  assert.equal(taken(take, 'a', 10), 3);
});

test('takes nothing from the refill for a refused use', () => {
  const { clock, take } = open();
  taken(take, 'a', 3);
  for (let n = 0; n < 9; n += 1) {
    clock.ms += 50;
    assert.equal(take('a'), 1);
  }
  clock.ms += 60;
  assert.equal(take('a'), undefined);
});

test('keeps a bucket per key up to a maximum, and evicts the least recently used', () => {
  const { take } = open(2);
  taken(take, 'a', 3);
  assert.equal(taken(take, 'b', 5), 3);
  assert.equal(take('a'), 1);
  take('c');
  assert.equal(take('a'), 1, 'used after b, and so still held');
  assert.equal(taken(take, 'b', 5), 3);
});
