import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comesNearer } from './comes-nearer.ts';

test('is true for a first and an earlier expiry; false for the same, a later one, none, and no change', () => {
  const [sooner, later] = ['2030-01-01T00:00:00.000Z', '2030-01-01T00:00:00.001Z'];
  assert.deepEqual(
    [comesNearer(null, later), comesNearer(later, sooner), comesNearer(sooner, later), comesNearer(later, later)],
    [true, true, false, false],
  );
  assert.deepEqual(
    [comesNearer(later, null), comesNearer(null, null), comesNearer(later, undefined), comesNearer(null, undefined)],
    [false, false, false, false],
  );
});
