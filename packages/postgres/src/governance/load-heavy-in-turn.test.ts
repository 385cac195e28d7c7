import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { loadHeavyInTurn } from './load-heavy-in-turn.ts';

const { heavyBytesMin, heavyRestsCount } = LIMITS.snapshots;
const TOOK_MS = 20;

/** Loads that take a while, with how many were under way at once in each organization. */
const newLoads = () => {
  const [now, most] = [new Map<string, number>(), new Map<string, number>()];
  const order: string[] = [];
  const load = loadHeavyInTurn(async (organizationId, id) => {
    if (id === 'broken') throw new Error('no database');
    const under = (now.get(organizationId) ?? 0) + 1;
    now.set(organizationId, under);
    most.set(organizationId, Math.max(under, most.get(organizationId) ?? 0));
    order.push(`${organizationId}/${id}`);
    await sleep(TOOK_MS);
    now.set(organizationId, under - 1);
    return { held_bytes: organizationId.startsWith('heavy') ? heavyBytesMin : heavyBytesMin - 1 };
  });
  return { load, most, order };
};

test('loads heavy snapshots one after the other with throttling, and delays no one else', async () => {
  const { load, most } = newLoads();
  await load('heavy', 'first');
  const began = performance.now();
  const heavy = Promise.all(['a', 'b', 'c'].map((id) => load('heavy', id)));
  await Promise.all(['a', 'b', 'c'].map((id) => load('light', id)));
  assert.equal(most.get('light'), 3);
  const lightMs = performance.now() - began;
  await heavy;
  const heavyMs = performance.now() - began;
  assert.equal(most.get('heavy'), 1);
  assert.ok(heavyMs >= TOOK_MS * (3 + 2 * heavyRestsCount) * 0.9, `${heavyMs} ms`);
  assert.ok(lightMs < heavyMs, `${lightMs} ms and ${heavyMs} ms`);
});

test('alternates between two heavy organizations, and continues after a failure', async () => {
  const { load, order } = newLoads();
  await Promise.all([load('heavy-1', 'first'), load('heavy-2', 'first')]);
  const many = ['a', 'b', 'c'].map((id) => load('heavy-1', id));
  const broken = load('heavy-1', 'broken');
  await Promise.all([load('heavy-2', 'a'), assert.rejects(broken, /no database/), ...many]);
  assert.ok(order.indexOf('heavy-2/a') < order.indexOf('heavy-1/c'), order.join());
  assert.equal(order.length, 6);
});
