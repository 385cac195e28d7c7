import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createError } from '../wire/errors.ts';
import { getRetryDelayMs, readRetryAfter } from './backoff.ts';

test('Retry-After is read as seconds or as a date, and anything else is ignored', () => {
  const now = Date.UTC(2026, 0, 1);
  assert.equal(readRetryAfter('7', now), 7);
  assert.equal(readRetryAfter('0', now), 0);
  assert.equal(readRetryAfter('Thu, 01 Jan 2026 00:00:30 GMT', now), 30);
  assert.equal(readRetryAfter('Wed, 31 Dec 2025 23:59:00 GMT', now), 0);
  for (const header of [null, '', 'soon', '-5', '1e9', '99999999999']) {
    const seconds = readRetryAfter(header, now);
    assert.ok(seconds === undefined || (Number.isFinite(seconds) && seconds >= 0), String(header));
  }
});

test('the wait doubles up to five seconds, differs between callers, and is never shorter than Retry-After', () => {
  const busy = createError({ code: 'DEPENDENCY_UNAVAILABLE', message: 'busy', status: 503 });
  for (const [attempt, longest] of [
    [0, 100],
    [3, 800],
    [6, 5_000],
    [1_000, 5_000],
  ] as const) {
    const waits = Array.from({ length: 50 }, () => getRetryDelayMs(busy, attempt, false) ?? 0);
    assert.ok(
      waits.every((wait) => wait >= longest / 2 && wait <= longest),
      `${attempt}`,
    );
    assert.ok(new Set(waits).size > 25);
  }
  const told = createError({ code: 'RATE_LIMITED', message: 'slow', status: 429, retryAfterSeconds: 9 });
  assert.ok((getRetryDelayMs(told, 0, false) ?? 0) > 9_000);
});

test('an error other than a response of the gateway or a lost response is never retried', () => {
  for (const error of [new TypeError('ours'), 'text', undefined, createError({ code: 'TIMED_OUT', message: 'late' })]) {
    assert.equal(getRetryDelayMs(error, 0, true), undefined);
  }
});

test('a conflict is waited out only if it may be with an earlier attempt of the same call', () => {
  const conflict = createError({ code: 'CONFLICT', message: 'running', status: 409, retryAfterSeconds: 1 });
  assert.equal(getRetryDelayMs(conflict, 1, false), undefined);
  assert.ok(getRetryDelayMs(conflict, 1, true));
});
