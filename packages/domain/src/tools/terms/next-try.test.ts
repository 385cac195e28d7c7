import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { RetryPlan } from './call-terms.ts';
import { type Tried, tryTimeoutMs, waitBeforeNext } from './next-try.ts';

const plan: RetryPlan = { tries_max: 3, statuses: ['503', '4xx'], network_errors: true, backoff_ms: 100, try_timeout_ms: null };
const soFar = { tries: 1, elapsedMs: 0, withinMs: 10_000, random: 1 };
const answered = (status: number, more: object = {}): Tried => ({
  kind: 'answered',
  status,
  isSuccess: false,
  retryAfter: undefined,
  ...more,
});

test('retries after the statuses and failures of the plan, and after nothing else', () => {
  const waits = (tried: Tried, more: Partial<RetryPlan> = {}) => waitBeforeNext({ ...plan, ...more }, tried, soFar) !== undefined;
  assert.deepEqual(
    [503, 404, 500, 302].map((status) => waits(answered(status))),
    [true, true, false, false],
  );
  assert.equal(waits(answered(404, { isSuccess: true })), false);
  assert.deepEqual([waits({ kind: 'unsent' }), waits({ kind: 'doubtful' }), waits({ kind: 'final' })], [true, true, false]);
  for (const kind of ['unsent', 'doubtful'] as const) assert.equal(waits({ kind }, { network_errors: false }), false);
  assert.equal(waitBeforeNext(null, answered(503), soFar), undefined);
});

test('doubles the wait, obeys a longer Retry-After in seconds, and ignores a date or nonsense there', () => {
  assert.deepEqual(
    [1, 2].map((tries) => waitBeforeNext(plan, answered(503), { ...soFar, tries })),
    [100, 200],
  );
  assert.equal(waitBeforeNext(plan, answered(503, { retryAfter: '2' }), soFar), 2_000);
  assert.equal(
    waitBeforeNext(plan, answered(503, { retryAfter: '60' }), soFar),
    undefined,
    'no further try where it could only be too early',
  );
  for (const retryAfter of ['Mon, 23 Nov 2026 00:00:00 GMT', '-1', '1e9', '', '9999999999'])
    assert.equal(waitBeforeNext(plan, answered(503, { retryAfter }), soFar), 100, retryAfter);
});

test("keeps all attempts and waits within the timeout of one call and the plan's number, for any response", () => {
  const tried: fc.Arbitrary<Tried> = fc.oneof(
    fc.record({
      kind: fc.constant('answered' as const),
      status: fc.constantFrom(503, 404, 500),
      isSuccess: fc.constant(false),
      retryAfter: fc.constantFrom(undefined, '0', '1', '5'),
    }),
    fc.constantFrom({ kind: 'unsent' } as const, { kind: 'doubtful' } as const),
  );
  fc.assert(
    fc.property(
      fc.record({
        tries_max: fc.integer({ min: 2, max: 5 }),
        backoff_ms: fc.integer({ min: 10, max: 5_000 }),
        try_timeout_ms: fc.option(fc.integer({ min: 50, max: 15_000 })),
      }),
      fc.integer({ min: 100, max: 15_000 }),
      fc.infiniteStream(fc.tuple(tried, fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))),
      (more, withinMs, stream) => {
        const made = { ...plan, ...more };
        let elapsedMs = 0;
        let tries = 0;
        for (const [each, share, random] of stream) {
          tries += 1;
          const timeoutMs = tryTimeoutMs(made, { elapsedMs, withinMs });
          elapsedMs += timeoutMs * share;
          const waitMs = waitBeforeNext(made, each, { tries, elapsedMs, withinMs, random });
          if (waitMs === undefined) break;
          elapsedMs += waitMs;
        }
        assert.ok(tries <= made.tries_max && elapsedMs <= withinMs, `${tries} tries in ${elapsedMs} of ${withinMs} ms`);
      },
    ),
  );
});
