import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rememberUnfit } from './remember-unfit.ts';
import { UnfitRow } from './unfit-row.ts';

const newWorld = () => ({ epoch: 1, now: 0, loads: 0, asked: 0, breaks: new UnfitRow('tools', 'tol_1', 'kind') as Error | undefined });

const open = (world: ReturnType<typeof newWorld>) =>
  rememberUnfit(
    async () => {
      world.loads += 1;
      if (world.breaks) throw world.breaks;
      return { n: world.loads };
    },
    async () => {
      world.asked += 1;
      return world.epoch;
    },
    () => world.now,
  );

test('judges an unfit snapshot again after an epoch change, or after a few seconds, and not at each request', async () => {
  const world = newWorld();
  const load = open(world);
  for (let n = 0; n < 50; n += 1) await assert.rejects(load('org_1', 'env_1'), UnfitRow);
  assert.equal(world.loads, 2, 'once to find it, once to know at which epoch');
  world.epoch = 2;
  await assert.rejects(load('org_1', 'env_1'), UnfitRow);
  assert.equal(world.loads, 3);
  world.now += 5_000;
  await assert.rejects(load('org_1', 'env_1'), UnfitRow);
  assert.equal(world.loads, 4, 'a repair past the triggers moves no epoch');
  await assert.rejects(load('org_2', 'env_1'), UnfitRow);
  assert.equal(world.loads, 5, 'of each organization by itself');
});

test('sees a repair at the next request, and needs no query for a fit snapshot', async () => {
  const world = newWorld();
  const load = open(world);
  for (let n = 0; n < 3; n += 1) await assert.rejects(load('org_1', 'env_1'), UnfitRow);
  world.breaks = undefined;
  world.epoch = 2;
  assert.deepEqual(await load('org_1', 'env_1'), { n: 3 });
  const { asked } = world;
  await load('org_1', 'env_1');
  assert.equal(world.asked, asked);
});

test('retries a load that failed for another reason each time', async () => {
  const world = { ...newWorld(), breaks: new Error('no database') };
  const load = open(world);
  for (let n = 0; n < 3; n += 1) await assert.rejects(load('org_1', 'env_1'), /no database/);
  assert.equal(world.loads, 3);
});
