import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isId } from '@svc/contract/tables/ids.ts';
import { ulid } from 'ulid';
import { getMinIdForTime } from './first-id-since.ts';

test('returns an identifier that none created at the time is below, and every earlier one is', () => {
  const time = new Date('2026-05-01T12:00:00.000Z');
  const first = getMinIdForTime('action', time);
  assert.ok(isId('action', first));
  for (let turn = 0; turn < 100; turn += 1) {
    assert.ok(`act_${ulid(time.getTime())}` >= first);
    assert.ok(`act_${ulid(time.getTime() - 1)}` < first);
  }
});

test('returns the smallest identifier for a time before all identifiers', () => {
  assert.equal(getMinIdForTime('action', new Date('1900-01-01T00:00:00.000Z')), `act_${'0'.repeat(26)}`);
});
