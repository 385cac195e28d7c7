import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkAssertionWindow, nonceNeededUntilMs } from './assertion-window.ts';

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

test('a nonce is remembered beyond every moment at which its assertion would still be accepted', () => {
  const offsets = fc.integer({ min: -200_000, max: 600_000 });
  fc.assert(
    fc.property(fc.integer({ min: -150_000, max: 150_000 }), fc.integer({ min: 0, max: 310_000 }), offsets, (issuedIn, lives, laterMs) => {
      const times = { issuedAtMs: nowMs + issuedIn, expiresAtMs: nowMs + issuedIn + lives };
      const accepted = checkAssertionWindow(times, nowMs + laterMs, windowSeconds) === null;
      return !accepted || nowMs + laterMs < nonceNeededUntilMs(times, windowSeconds);
    }),
  );
});
