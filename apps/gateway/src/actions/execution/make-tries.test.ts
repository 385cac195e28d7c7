import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EgressResult } from '@svc/egress/requests/egress-request.ts';
import type { ExecutionCall } from '@svc/enforcement/ports/ports.ts';
import { makeTries } from './make-tries.ts';

const PLAN = { tries_max: 3, backoff_ms: 10, try_timeout_ms: null, statuses: ['503'], network_errors: true };

/** A call of a tool that may be made three times; `asked` is what stands when it is asked whether it may still go. */
const callWith = (mayLeave: () => boolean) =>
  ({ terms: { expects: null, retries: PLAN }, mayLeave: async () => mayLeave() }) as unknown as ExecutionCall;

const large = (status: number, release: () => void): EgressResult => ({
  ...{ kind: 'answered_large', status, bytes: 100_000, duration_ms: 1 },
  large: { json: new Uint8Array(8), release },
});

test('a large answer is given back before another try is waited for, and told without what it said where that try may not go', async () => {
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

test('a large answer that is the last one is not given back before the agent has it', async () => {
  let released = 0;
  const { result, tries } = await makeTries(
    callWith(() => true),
    async () => large(200, () => (released += 1)),
    5_000,
  );
  assert.deepEqual([tries, released, result.kind === 'answered_large' && result.large !== undefined], [1, 0, true]);
});
