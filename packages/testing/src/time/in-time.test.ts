import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { getInTime } from './in-time.ts';

test('an attempt that was too late is repeated before a later moment, and ends after it', async () => {
  const moments: number[] = [];
  const value = await getInTime(
    async (moment) => {
      moments.push(moment);
      if (moments.length === 1) await sleep(moment - Date.now() + 5);
      assert.ok(Date.now() < moment, 'too late');
      return 'done';
    },
    [20, 500, 10_000],
  );
  assert.equal(value, 'done');
  assert.ok(moments.length >= 2);
  assert.ok(Date.now() > (moments.at(-1) ?? 0));
});

test('a failure in time is a failure', async () => {
  let attempts = 0;
  const fails = async () => {
    attempts += 1;
    throw new Error('broken');
  };
  await assert.rejects(getInTime(fails), /broken/);
  assert.equal(attempts, 1);
});
