import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { createThrottledQueue } from './resting-turns.ts';

const WORK_MS = 20;

test('runs one batch of an organization at a time, with a pause between, across calls; other organizations do not wait', async () => {
  const inTurn = createThrottledQueue(4, 10_000);
  const runs: { readonly from: number; readonly to: number }[] = [];
  const batch = async (): Promise<string> => {
    const from = performance.now();
    await sleep(WORK_MS);
    runs.push({ from, to: performance.now() });
    return 'done';
  };
  const many = Promise.all(Array.from({ length: 5 }, () => inTurn('org_many', batch)));
  const before = await inTurn('org_other', async () => runs.length);
  assert.ok(typeof before === 'number' && before <= 1, `the other waited for ${before} batches`);
  assert.deepEqual(await many, Array(5).fill('done'));
  for (const [index, { from }] of runs.slice(1).entries()) {
    const rested = from - (runs[index]?.to ?? 0);
    assert.ok(rested >= WORK_MS * 0.8, `rested ${rested} ms`);
  }
});

test('answers the caller before the pause, also after a failure; refuses callers that wait too long or beyond the queue limit', async () => {
  const inTurn = createThrottledQueue(1, 30);
  const broken = async () => {
    await sleep(WORK_MS);
    throw new Error('broken');
  };
  await assert.rejects(inTurn('org_1', broken), /broken/);
  const resting = performance.now();
  assert.equal(await inTurn('org_2', async () => 'next'), 'next');
  assert.ok(performance.now() - resting >= WORK_MS * 0.5, 'the place is given on after the rest');
  const hanging = inTurn('org_3', () => sleep(200));
  const late = await inTurn('org_4', async () => 'never');
  assert.ok(isRefusal(late) && late.refused === 'RATE_LIMITED');
  await hanging;
});
