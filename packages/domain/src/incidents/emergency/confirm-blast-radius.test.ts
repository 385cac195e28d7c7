import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isConfirmed } from './confirm-blast-radius.ts';

test('accepts the current number and at most a tenth more', () => {
  for (const [now, confirmed] of [
    [0, 0],
    [0, 2],
    [1, 3],
    [5, 5],
    [100, 110],
    [29, 31],
  ] as const)
    assert.ok(isConfirmed(now, confirmed), `${now} ${confirmed}`);
});

test('rejects fewer than would be stopped, and numbers far above', () => {
  for (const [now, confirmed] of [
    [1, 0],
    [5, 4],
    [0, 3],
    [5, 8],
    [100, 111],
    [5, 999_999],
  ] as const)
    assert.ok(!isConfirmed(now, confirmed), `${now} ${confirmed}`);
});
