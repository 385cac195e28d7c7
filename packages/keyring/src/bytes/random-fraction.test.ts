import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomFraction } from './random-fraction.ts';

const DRAWS = 256_000;

test('draws each of the 256 numbers about equally often, and repeats no sequence', () => {
  const drawn = Array.from({ length: DRAWS }, randomFraction);
  const counts = new Map<number, number>();
  for (const fraction of drawn) counts.set(fraction, (counts.get(fraction) ?? 0) + 1);
  assert.equal(counts.size, 256);
  for (const [fraction, count] of counts) {
    assert.ok(fraction >= 0 && fraction < 1 && Number.isInteger(fraction * 256), String(fraction));
    // Ten standard deviations around the mean of 1,000.
    assert.ok(count > 680 && count < 1_320, `${fraction} came ${count} times`);
  }
  const runs = new Set(Array.from({ length: DRAWS / 8 }, (_, index) => drawn.slice(index * 8, index * 8 + 8).join()));
  assert.equal(runs.size, DRAWS / 8);
});
