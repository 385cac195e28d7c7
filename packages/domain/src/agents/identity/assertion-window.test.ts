import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import fc from 'fast-check';
import { acceptableForMs, checkAssertionWindow, getNonceKeptForMs } from './assertion-window.ts';

const nowMs = Date.UTC(2026, 0, 31, 10);
const windowSeconds = 120;
const check = (issuedInMs: number, livesMs: number) =>
  checkAssertionWindow({ issuedAtMs: nowMs + issuedInMs, expiresAtMs: nowMs + issuedInMs + livesMs }, nowMs, windowSeconds);

test('accepts an assertion issued exactly 120 s away either way, and rejects one more millisecond', () => {
  assert.equal(check(-120_000, 300_000), null);
  assert.equal(check(120_000, 60_000), null);
  assert.equal(check(-120_001, 300_000)?.refused, 'TIMESTAMP_OUT_OF_WINDOW');
  assert.equal(check(120_001, 60_000)?.refused, 'TIMESTAMP_OUT_OF_WINDOW');
  assert.equal(check(-121_000, 300_000)?.refused, 'TIMESTAMP_OUT_OF_WINDOW');
  assert.equal(check(121_000, 60_000)?.refused, 'TIMESTAMP_OUT_OF_WINDOW');
});

test('rejects an assertion that expires now', () => {
  assert.equal(check(-60_000, 60_001), null);
  assert.equal(check(-60_000, 60_000)?.refused, 'TIMESTAMP_OUT_OF_WINDOW');
});

test('accepts a lifetime of 300 s and rejects one of 301 s', () => {
  assert.equal(check(0, 300_000), null);
  assert.equal(check(0, 300_001)?.refused, 'TIMESTAMP_OUT_OF_WINDOW');
  assert.equal(check(0, 301_000)?.refused, 'TIMESTAMP_OUT_OF_WINDOW');
});

test('rejects an assertion that expires before it was issued even if both lie ahead', () => {
  assert.equal(check(100_000, -50_000)?.refused, 'TIMESTAMP_OUT_OF_WINDOW');
  assert.equal(check(100_000, 0)?.refused, 'TIMESTAMP_OUT_OF_WINDOW');
});

test("states the server's time and window in a refusal", () => {
  assert.deepEqual(check(-121_000, 300_000)?.details, { server_time: '2026-01-31T10:00:00.000Z', window_seconds: 120 });
});

test('never accepts a time that is not a number', () => {
  for (const times of [
    { issuedAtMs: Number.NaN, expiresAtMs: nowMs + 1000 },
    { issuedAtMs: nowMs, expiresAtMs: Number.NaN },
    { issuedAtMs: nowMs, expiresAtMs: Number.POSITIVE_INFINITY },
  ]) {
    assert.equal(checkAssertionWindow(times, nowMs, windowSeconds)?.refused, 'TIMESTAMP_OUT_OF_WINDOW');
  }
});

const { windowSecondsMax, clockDifferenceSeconds } = LIMITS.assertions;

test('keeps a nonce beyond every moment at which its assertion could be accepted again, for any settings and clocks of two gateways', () => {
  const anyWindow = fc.integer({ min: 1, max: windowSecondsMax });
  const anyMs = (seconds: number) => fc.integer({ min: -seconds * 1_000, max: seconds * 1_000 });
  const aroundWindow = anyMs(windowSecondsMax + 600);
  const clocks = anyMs(clockDifferenceSeconds);
  fc.assert(
    fc.property(
      anyWindow,
      anyWindow,
      fc.integer({ min: 1, max: 300_000 }),
      aroundWindow,
      aroundWindow,
      clocks,
      (one, other, lives, first, again, clock) => {
        const times = { issuedAtMs: nowMs, expiresAtMs: nowMs + lives };
        const isAccepted = (atMs: number, window: number) => checkAssertionWindow(times, nowMs + atMs, window) === null;
        if (!isAccepted(first, one) || !isAccepted(again, other)) return true;
        // The clock of the second gateway shows `again` when that of the first one, which used the nonce, differs by this much.
        return again - first + clock <= getNonceKeptForMs() && again - first <= acceptableForMs(Math.max(one, other));
      },
    ),
    { numRuns: 20_000 },
  );
});

test('keeps it exactly as long as an assertion is accepted within the widest window', () => {
  const times = { issuedAtMs: nowMs, expiresAtMs: nowMs + 300_000 };
  const from = nowMs - windowSecondsMax * 1_000;
  const until = from + acceptableForMs(windowSecondsMax);
  assert.equal(checkAssertionWindow(times, from, windowSecondsMax), null);
  assert.equal(checkAssertionWindow(times, until - 1, windowSecondsMax), null);
  assert.equal(checkAssertionWindow(times, until, windowSecondsMax)?.refused, 'TIMESTAMP_OUT_OF_WINDOW');
});
