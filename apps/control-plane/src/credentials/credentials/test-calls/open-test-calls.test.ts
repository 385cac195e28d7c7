import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { openTestCalls } from './open-test-calls.ts';

const { testsUnderWayMax } = LIMITS.credentials;

test('slots of test calls are bounded and fair: one per organization at a time, and many requests queue behind one', async () => {
  const egress = { allowCidrs: [], nameServers: [], timeoutMs: 10_000 };
  const calls = openTestCalls({ egress, realEgress: false, sandboxOrigin: undefined, credentialsOverHttp: false });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (organizationId: string) =>
    calls.inTurn(organizationId, () => {
      begun.push(organizationId);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.push(resolve);
      return promise;
    });
  /** Resolves when every call that may start has started. */
  const settled = () => new Promise<void>((resolve) => void setImmediate(resolve));
  const asked = [ask('first'), ask('first')];
  await settled();
  assert.deepEqual(begun, ['first'], 'one of each');
  for (let n = 1; n < testsUnderWayMax; n += 1) asked.push(ask(`org ${n}`));
  for (const organizationId of ['greedy', 'greedy', 'greedy', 'a', 'b', 'c']) asked.push(ask(organizationId));
  await settled();
  assert.equal(begun.length, testsUnderWayMax, 'no more at once');
  for (let at = 1; at < testsUnderWayMax + 7; at += 1) {
    // There is one slot: the last call to get it releases it.
    ends[at === 1 ? 1 : ends.length - 1]?.();
    await settled();
  }
  assert.deepEqual(begun.slice(testsUnderWayMax), ['greedy', 'a', 'b', 'c', 'greedy', 'greedy']);
  for (const end of ends) end();
  await settled();
  assert.equal(begun.at(-1), 'first');
  for (const end of ends) end();
  await Promise.all(asked);
  await calls.close();
});

test('an organization with slow test calls queues behind one that used less time', async () => {
  const egress = { allowCidrs: [], nameServers: [], timeoutMs: 10_000 };
  const calls = openTestCalls({ egress, realEgress: false, sandboxOrigin: undefined, credentialsOverHttp: false });
  await calls.inTurn('slow', () => sleep(50));
  const ends: (() => void)[] = [];
  const held = Array.from({ length: testsUnderWayMax }, (_, n) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    ends.push(resolve);
    return calls.inTurn(`org ${n}`, () => promise);
  });
  const begun: string[] = [];
  const asked = ['slow', 'quick'].map((organizationId) => calls.inTurn(organizationId, async () => begun.push(organizationId)));
  for (const end of ends) end();
  await Promise.all([...held, ...asked]);
  assert.deepEqual(begun, ['quick', 'slow']);
  await calls.close();
});
