import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newSpentTime } from './spent-time.ts';

test('adds up time, and halves it within a minute', () => {
  let now = 5;
  const spent = newSpentTime(() => now);
  spent.add('a', 4_000);
  assert.deepEqual([spent.of('a'), spent.of('b')], [4_000, 0]);
  now += 60_000;
  assert.equal(spent.of('a'), 2_000);
  spent.add('a', 1_000);
  assert.equal(spent.of('a'), 3_000);
});
