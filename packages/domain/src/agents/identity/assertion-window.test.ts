import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import fc from 'fast-check';
import { acceptableForMs, checkAssertionWindow, nonceKeptForMs } from './assertion-window.ts';

const nowMs = Date.UTC(2026, 0, 31, 10);
const windowSeconds = 120;
const check = (issuedInMs: number, livesMs: number) =>
  checkAssertionWindow({ issuedAtMs: nowMs + issuedInMs, expiresAtMs: nowMs + issuedInMs + livesMs }, nowMs, windowSeconds);

test('an assertion issued exactly 120 s away either way is inside, one millisecond more is outside', () => {
  assert.equal(check(-120_000, 300_000), null);
  assert.equal(check(120_000, 60_000), null);
  assert.equal(check(-120_001, 300_000)?.refused, 'TIMESTAMP_OUT_OF_WINDOW');
  assert.equal(check(120_001, 60_000)?.refused, 'TIMESTAMP_OUT_OF_WINDOW');
  assert.equal(check(-121_000, 300_000)?.refused, 'TIMESTAMP_OUT_OF_WINDOW');
  assert.equal(check(121_000, 60_000)?.refused, 'TIMESTAMP_OUT_OF_WINDOW');
});

test('an assertion that expires now is expired', () => {
  assert.equal(check(-60_000, 60_001), null);
  assert.equal(check(-60_000, 60_000)?.refused, 'TIMESTAMP_OUT_OF_WINDOW');
});

test('a life of 300 s is accepted and one of 301 s is not', () => {
  assert.equal(check(0, 300_000), null);
  assert.equal(check(0, 300_001)?.refused, 'TIMESTAMP_OUT_OF_WINDOW');
  assert.equal(check(0, 301_000)?.refused, 'TIMESTAMP_OUT_OF_WINDOW');
});

test('an assertion that expires before it was issued is refused even when both lie ahead', () => {
  assert.equal(check(100_000, -50_000)?.refused, 'TIMESTAMP_OUT_OF_WINDOW');
  assert.equal(check(100_000, 0)?.refused, 'TIMESTAMP_OUT_OF_WINDOW');
});

test("a refusal tells the server's time and window", () => {
  assert.deepEqual(check(-121_000, 300_000)?.details, { server_time: '2026-01-31T10:00:00.000Z', window_seconds: 120 });
});

test('a time that is not a number never passes', () => {
  for (const times of [
    { issuedAtMs: Number.NaN, expiresAtMs: nowMs + 1000 },
    { issuedAtMs: nowMs, expiresAtMs: Number.NaN },
    { issuedAtMs: nowMs, expiresAtMs: Number.POSITIVE_INFINITY },
  ]) {
    assert.equal(checkAssertionWindow(times, nowMs, windowSeconds)?.refused, 'TIMESTAMP_OUT_OF_WINDOW');
  }
});

const { windowSecondsMax, clockDifferenceSeconds } = LIMITS.assertions;

test('a nonce is kept beyond every moment at which its assertion could be accepted again, whatever the settings of two gateways and their clocks', () => {
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
        return again - first + clock <= nonceKeptForMs() && again - first <= acceptableForMs(Math.max(one, other));
      },
    ),
    { numRuns: 20_000 },
  );
});

test('and the time is no guess: with the widest window an assertion is accepted as long as that says, and not longer', () => {
  const times = { issuedAtMs: nowMs, expiresAtMs: nowMs + 300_000 };
  const from = nowMs - windowSecondsMax * 1_000;
  const until = from + acceptableForMs(windowSecondsMax);
  assert.equal(checkAssertionWindow(times, from, windowSecondsMax), null);
  assert.equal(checkAssertionWindow(times, until - 1, windowSecondsMax), null);
  assert.equal(checkAssertionWindow(times, until, windowSecondsMax)?.refused, 'TIMESTAMP_OUT_OF_WINDOW');
});
