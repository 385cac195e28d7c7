import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { createFairQueue, createWeightedFairQueue } from './in-turn.ts';

test('runs at most two at once in order, and frees the slot of a failed one', async () => {
  const inTurn = createFairQueue(2);
  let running = 0;
  let most = 0;
  const begun: number[] = [];
  const outcomes = await Promise.allSettled(
    Array.from({ length: 12 }, (_, index) =>
      inTurn(`org_${index}`, async () => {
        begun.push(index);
        running += 1;
        most = Math.max(most, running);
        await sleep(5);
        running -= 1;
        if (index % 3 === 0) throw new Error('broken');
        return index;
      }),
    ),
  );
  assert.equal(most, 2);
  assert.deepEqual(
    begun,
    Array.from({ length: 12 }, (_, index) => index),
  );
  assert.equal(outcomes.filter(({ status }) => status === 'rejected').length, 4);
  assert.equal(await inTurn('org_1', async () => 'again'), 'again');
});

test('an organization with a hundred requests is refused most of them, and delays no other', async () => {
  const inTurn = createFairQueue(2);
  const done: string[] = [];
  const ask = (organizationId: string, name: string) =>
    inTurn(organizationId, async () => {
      await sleep(2);
      done.push(name);
    });
  const many = Array.from({ length: 100 }, (_, index) => ask('org_greedy', `greedy ${index}`));
  await ask('org_other', 'other');
  assert.ok(done.indexOf('other') <= 2, done.slice(0, 5).join());
  const outcomes = await Promise.all(many);
  assert.equal(done.length, 12);
  assert.equal(outcomes.filter((outcome) => isRefusal(outcome) && outcome.refused === 'RATE_LIMITED').length, 89);
});

test('a refusal states whether the own organization or others used the capacity', async () => {
  const inTurn = createFairQueue(1, 1);
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const running = inTurn('org_first', () => gate);
  const said = async (organizationId: string) => {
    const outcome = await inTurn(organizationId, async () => undefined);
    return isRefusal(outcome) ? outcome.message : undefined;
  };
  assert.match((await said('org_first')) ?? '', /in progress for this organization/);
  assert.match((await said('org_other')) ?? '', /of this kind are in progress\. Try again later/);
  open();
  await running;
});

test('orders by least time used, then by longest wait', async () => {
  const spent = new Map<string, number>([['org_dear', 500]]);
  const inTurn = createWeightedFairQueue(1, 1_000, {
    of: (key) => spent.get(key) ?? 0,
    add: (key, ms) => void spent.set(key, (spent.get(key) ?? 0) + ms),
  });
  const done: string[] = [];
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const ask = (organizationId: string, until?: Promise<void>) =>
    inTurn(organizationId, async () => {
      await until;
      done.push(organizationId);
    });
  const all = [ask('org_first', gate), ask('org_dear'), ask('org_dear'), ask('org_some'), ask('org_new')];
  await sleep(5);
  open();
  await Promise.all(all);
  assert.deepEqual(done, ['org_first', 'org_some', 'org_new', 'org_dear', 'org_dear']);
  assert.ok((spent.get('org_first') ?? 0) >= 4, 'what was worked is charged');
});

test('waits for two slow documents before its own document is read', () => {
  const { readingMs, readingWaitMs } = LIMITS.toolImports;
  assert.ok(readingWaitMs > 2 * readingMs);
});
