import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renewalDueMs } from './passport-renewal.ts';

const DAY = 86_400_000;

test('a passport is due for renewal thirty days before its end, and in the last third of a shorter life', () => {
  assert.equal(renewalDueMs(0, 365 * DAY), 335 * DAY);
  assert.equal(renewalDueMs(0, 90 * DAY), 60 * DAY);
  assert.equal(renewalDueMs(0, 3 * DAY), 2 * DAY);
});

test('however short its life, a passport is never due at the moment it is issued', () => {
  for (const days of [1, 2, 30, 3_650]) assert.ok(renewalDueMs(0, days * DAY) >= (days * DAY * 2) / 3);
});
