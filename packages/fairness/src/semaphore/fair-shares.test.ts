import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { NoShareError, newFairShares } from './fair-shares.ts';

const settings = { atOnceMax: 4, perKeyMax: 2, waitingPerKeyMax: 50, waitMsMax: 5_000 };

test('bounds the shares of one key and of all keys together', async () => {
  const shares = newFairShares(settings);
  const running = new Map<string, number>();
  let most = 0;
  const mostOf = new Map<string, number>();
  const work = (key: string) => async () => {
    running.set(key, (running.get(key) ?? 0) + 1);
    mostOf.set(key, Math.max(mostOf.get(key) ?? 0, running.get(key) ?? 0));
    most = Math.max(
      most,
      [...running.values()].reduce((sum, each) => sum + each, 0),
    );
    await sleep(1);
    running.set(key, (running.get(key) ?? 0) - 1);
  };
  await Promise.all(Array.from({ length: 90 }, (_, n) => `key_${n % 3}`).map((key) => shares.run(key, work(key))));
  assert.equal(most, 4);
  assert.deepEqual([...mostOf.values()], [2, 2, 2]);
});

test('lowers the bound of a key while others are active, and restores it afterwards', async () => {
  const shares = newFairShares({ ...settings, besideOthers: { perKeyMax: 1, withinMs: 60 } });
  const atOnce = async (): Promise<number> => {
    let [running, most] = [0, 0];
    const work = async (): Promise<void> => {
      running += 1;
      most = Math.max(most, running);
      await sleep(1);
      running -= 1;
    };
    await Promise.all(Array.from({ length: 6 }, () => shares.run('own', work)));
    return most;
  };
  const alone = await atOnce();
  await shares.run('other', async () => undefined);
  const beside = await atOnce();
  await sleep(80);
  assert.deepEqual([alone, beside, await atOnce()], [2, 1, 2]);
});

test('admits the waiting key that was served longest ago, for any length of another line', async () => {
  const shares = newFairShares({ ...settings, atOnceMax: 2 });
  const done: string[] = [];
  const ask = (key: string) =>
    shares.run(key, async () => {
      await sleep(2);
      done.push(key);
    });
  const greedy = Array.from({ length: 40 }, () => ask('greedy'));
  const others = [ask('one'), ask('two'), ask('one')];
  await Promise.all(others);
  assert.ok(done.length <= 8, done.join());
  await Promise.all(greedy);
});

test('refuses a call that waits too long or behind too many of its own key, names the cause, and leaves nothing behind', async () => {
  const shares = newFairShares({ ...settings, atOnceMax: 3, waitingPerKeyMax: 1, waitMsMax: 30 });
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const held = [shares.run('own', () => gate), shares.run('own', () => gate)];
  const late = assert.rejects(
    shares.run('own', async () => 'ran'),
    NoShareError,
  );
  await assert.rejects(
    shares.run('own', async () => 'ran'),
    (error) => error instanceof NoShareError && error.own,
  );
  held.push(shares.run('other', () => gate));
  await assert.rejects(
    shares.run('third', async () => 'ran'),
    (error) => error instanceof NoShareError && !error.own,
  );
  await late;
  open();
  await Promise.all(held);
  assert.equal(await shares.run('own', async () => 'ran'), 'ran');
  await assert.rejects(
    shares.run('own', async () => {
      throw new Error('broken');
    }),
    /broken/,
  );
  assert.deepEqual(await Promise.all(['own', 'own', 'other'].map((key) => shares.run(key, async () => key))), ['own', 'own', 'other']);
});
