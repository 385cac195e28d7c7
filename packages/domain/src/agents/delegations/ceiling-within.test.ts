import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newRateTable } from '../../money/fx-rates/rate-table.ts';
import { findCeilingFaults } from './ceiling-within.ts';
import type { Ceiling } from './delegation.ts';

const exchange = { rates: newRateTable('USD', []), now: new Date('2026-03-01T00:00:00.000Z') };
const calls = (max_calls: number | null, window_seconds: number | null): Ceiling => ({
  max_amount: null,
  currency: null,
  max_calls,
  window_seconds,
});
const money = (max_amount: number | null, window_seconds: number | null): Ceiling => ({
  max_amount,
  currency: max_amount === null ? null : 'USD',
  max_calls: null,
  window_seconds,
});
const fields = (outer: Ceiling, asked: Ceiling): string[] => findCeilingFaults(outer, asked, exchange).map(({ field }) => field);

test('counts calls in a shorter window as often as that window fits, in whole windows', () => {
  assert.deepEqual(fields(calls(60, 3_600), calls(1, 60)), []);
  assert.deepEqual(fields(calls(60, 3_600), calls(2, 60)), ['ceiling.window_seconds']);
  // Four windows of 1,000 seconds touch one hour.
  assert.deepEqual(fields(calls(60, 3_600), calls(15, 1_000)), []);
  assert.deepEqual(fields(calls(60, 3_600), calls(16, 1_000)), ['ceiling.window_seconds']);
});

test('treats as many calls in a longer window, or over the whole life, as fewer', () => {
  assert.deepEqual(fields(calls(60, 3_600), calls(60, 86_400)), []);
  assert.deepEqual(fields(calls(60, 3_600), calls(60, null)), []);
  assert.deepEqual(fields(calls(60, 3_600), calls(61, null)), ['ceiling.max_calls']);
});

test('does not bound a lifetime number of calls by a recurring one', () => {
  assert.deepEqual(fields(calls(60, null), calls(1, 86_400)), ['ceiling.window_seconds']);
  assert.deepEqual(fields(calls(60, null), calls(60, null)), []);
});

test('bounds single actions by their sum, and not the other way round', () => {
  assert.deepEqual(fields(money(1_000, null), money(1_000, 60)), []);
  assert.deepEqual(fields(money(1_000, 3_600), money(1_000, null)), ['ceiling.window_seconds']);
  assert.deepEqual(fields(money(1_000, 3_600), money(500, 1_800)), []);
  assert.deepEqual(fields(money(1_000, 3_600), money(501, 1_800)), ['ceiling.window_seconds']);
});

test('treats no bound as wider than every bound', () => {
  assert.deepEqual(fields(calls(null, null), calls(5, 60)), []);
  assert.deepEqual(fields(calls(0, null), calls(null, null)), ['ceiling.max_calls']);
  assert.deepEqual(fields(money(0, null), money(null, null)), ['ceiling.max_amount']);
});
