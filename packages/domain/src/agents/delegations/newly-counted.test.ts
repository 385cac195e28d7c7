import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ceiling } from './delegation.ts';
import { newlyCounted } from './newly-counted.ts';

const DAY = 86_400;
const ceiling = (more: Partial<Ceiling>): Ceiling => ({ max_amount: null, currency: null, max_calls: null, window_seconds: null, ...more });
const both = (days: number | null) =>
  ceiling({ max_calls: 5, max_amount: 9, currency: 'EUR', window_seconds: days === null ? null : days * DAY });

test('counts what was not counted before, and continues the rest', () => {
  assert.deepEqual(newlyCounted(ceiling({}), both(1)), { calls: true, currency: 'EUR' });
  assert.deepEqual(newlyCounted(ceiling({ max_calls: 7, window_seconds: DAY }), both(1)), { calls: false, currency: 'EUR' });
  assert.equal(newlyCounted(both(1), both(1)), null);
  assert.equal(newlyCounted(both(40), both(2)), null);
});

test('counts again for a window that reaches further back than stored uses', () => {
  assert.equal(newlyCounted(both(1), both(31)), null);
  assert.deepEqual(newlyCounted(both(1), both(32)), { calls: true, currency: 'EUR' });
  assert.deepEqual(newlyCounted(both(40), both(41)), { calls: true, currency: 'EUR' });
  assert.deepEqual(newlyCounted(both(40), ceiling({ max_calls: 5 })), null, 'the total of a life was kept');
});
