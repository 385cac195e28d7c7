import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getRenewalDueMs } from './passport-renewal.ts';

const DAY = 86_400_000;

test('is due for renewal thirty days before its expiry, and in the last third of a shorter lifetime', () => {
  assert.equal(getRenewalDueMs(0, 365 * DAY), 335 * DAY);
  assert.equal(getRenewalDueMs(0, 90 * DAY), 60 * DAY);
  assert.equal(getRenewalDueMs(0, 3 * DAY), 2 * DAY);
});

test('is never due at the moment of issue, however short its lifetime', () => {
  for (const days of [1, 2, 30, 3_650]) assert.ok(getRenewalDueMs(0, days * DAY) >= (days * DAY * 2) / 3);
});
