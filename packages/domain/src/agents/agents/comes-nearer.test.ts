import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comesNearer } from './comes-nearer.ts';

test('a first end and an earlier one come nearer; the same, a later one, none, and what is left as it is do not', () => {
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
