import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EgressResult } from '@svc/egress/requests/egress-request.ts';
import { makeTries, type TriedCall } from './make-tries.ts';

const PLAN = { tries_max: 3, backoff_ms: 10, try_timeout_ms: null, statuses: ['503'], network_errors: true };

/** Builds a call of a tool with three attempts; `asked` is the state when it is checked whether it may still be sent. */
const callWith = (mayLeave: () => boolean) =>
  ({ terms: { expects: null, retries: PLAN }, mayLeave: async () => mayLeave() }) as unknown as TriedCall;

const large = (status: number, release: () => void): EgressResult => ({
  ...{ kind: 'answered_large', status, bytes: 100_000, duration_ms: 1 },
  large: { json: new Uint8Array(8), release },
});

test('a large response is freed before the next attempt is awaited, and returned without its content if that attempt is not permitted', async () => {
  let released = 0;
  const heldAtWait: number[] = [];
  const call = callWith(() => {
    heldAtWait.push(released);
    return heldAtWait.length < 2;
  });
  const { result, tries } = await makeTries(call, async () => large(503, () => (released += 1)), 5_000);
  assert.deepEqual([heldAtWait, tries], [[1, 2], 2]);
  assert.ok(result.kind === 'answered_large');
  assert.deepEqual([result.status, result.large, result.untold], [503, undefined, 'UNREADABLE']);
});

test('a large final response is not freed before the agent has it', async () => {
  let released = 0;
  const { result, tries } = await makeTries(
    callWith(() => true),
    async () => large(200, () => (released += 1)),
    5_000,
  );
  assert.deepEqual([tries, released, result.kind === 'answered_large' && result.large !== undefined], [1, 0, true]);
});

const answered = (status: number): EgressResult =>
  ({ kind: 'answered', status, headers: {}, body: '{}', bytes: 2, duration_ms: 1 }) as unknown as EgressResult;
const timeout = { kind: 'timeout', reason: 'no answer' } as unknown as EgressResult;

/** Makes a call whose attempts have these results in order. */
const make = (...results: EgressResult[]) =>
  makeTries(
    callWith(() => true),
    async () => results.shift() as EgressResult,
    5_000,
  );

test('an attempt with an unknown outcome stays the outcome unless a later one was executed', async () => {
  assert.deepEqual(await make(timeout, answered(503), answered(404)), { result: timeout, tries: 3 });
  const done = await make(timeout, answered(503), answered(200));
  assert.deepEqual([done.tries, done.result.kind === 'answered' && done.result.status], [3, 200]);
  const broken = { kind: 'failed', reason: 'it broke off', sent: true } as EgressResult;
  assert.deepEqual(await make(broken, answered(503), answered(503)), { result: broken, tries: 3 });
  const unsent = { kind: 'failed', reason: 'no connection', sent: false } as EgressResult;
  const refused = await make(unsent, answered(404));
  assert.deepEqual([refused.tries, refused.result.kind === 'answered' && refused.result.status], [2, 404]);
});

test('a permanent failure is attempted once: a response that is too large, a forbidden address, and an unavailable credential', async () => {
  for (const result of [
    { kind: 'failed', reason: 'too large', sent: true, tooLarge: true },
    { kind: 'unreachable', reason: 'not there', forbidden: true },
    { kind: 'no_credential', reason: 'none' },
  ] as unknown as EgressResult[])
    assert.deepEqual(await make(result, answered(200)), { result, tries: 1 });
});
