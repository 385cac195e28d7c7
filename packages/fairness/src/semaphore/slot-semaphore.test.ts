import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newByteShares } from './byte-shares.ts';
import { type NoSlot, newSlotSemaphore, type SemaphoreSlot, type SlotSemaphore, type SlotSemaphoreLimits } from './slot-semaphore.ts';

const LIMITS: SlotSemaphoreLimits = { total: 8, perTenant: 6, perPlace: 3, waiting: 10, waitingPerTenant: 4 };
const calm = new AbortController().signal;

const takeNow = (semaphore: SlotSemaphore, tenant: string, place = 'host'): SemaphoreSlot | NoSlot | undefined => {
  const taken = semaphore.take(tenant, place, 60_000, AbortSignal.abort());
  return taken instanceof Promise ? undefined : taken;
};
const take = async (semaphore: SlotSemaphore, tenant: string, place = 'host', waitMs = 1_000): Promise<SemaphoreSlot | NoSlot> =>
  semaphore.take(tenant, place, waitMs, calm);
const isSlot = (taken: SemaphoreSlot | NoSlot | undefined): taken is SemaphoreSlot => typeof taken === 'object';
const releaseAll = (taken: readonly (SemaphoreSlot | NoSlot | undefined)[]): void =>
  taken.filter(isSlot).forEach(({ release }) => void release());

test('bounds the slots of one tenant and of one place, and leaves capacity for a newcomer', () => {
  const semaphore = newSlotSemaphore(LIMITS);
  const places = ['a', 'a', 'a', 'a', 'b', 'c', 'd'].map((place) => isSlot(takeNow(semaphore, 'one', place)));
  // The fourth slot of place a is one too many; with four held, four are free and the fifth is refused.
  assert.deepEqual(places, [true, true, true, false, true, false, false]);
  const newcomers = ['two', 'two', 'three', 'four', 'five'].map((tenant) => isSlot(takeNow(semaphore, tenant)));
  assert.deepEqual(newcomers, [true, true, true, true, false]);
});

test('serves waiting tenants in turn, and in order within one', async () => {
  const semaphore = newSlotSemaphore({ ...LIMITS, total: 2, perTenant: 1, perPlace: 1 });
  const first = await take(semaphore, 'one');
  const order: string[] = [];
  const waiting = ['one', 'one', 'one', 'two', 'two'].map(async (tenant, index) => {
    const slot = await take(semaphore, tenant, 'host');
    assert.ok(isSlot(slot));
    order.push(`${tenant}${index}`);
    await new Promise((resolve) => setImmediate(resolve));
    slot.release();
    return slot.waited;
  });
  releaseAll([first]);
  assert.deepEqual(await Promise.all(waiting), [true, true, true, false, true]);
  assert.deepEqual(
    order.filter((name) => name.startsWith('one')),
    ['one0', 'one1', 'one2'],
  );
  assert.deepEqual(order.indexOf('two4') < order.indexOf('one2'), true, order.join());
});

test('bounds the queue and the wait, and holds nothing for an abandoned request', async () => {
  const semaphore = newSlotSemaphore({ ...LIMITS, total: 1 });
  const held = await take(semaphore, 'one');
  const late = Array.from({ length: 5 }, () => take(semaphore, 'one', 'host', 20));
  assert.deepEqual(await Promise.all(late), ['late', 'late', 'late', 'late', 'full']);
  const given = new AbortController();
  const waiting = semaphore.take('two', 'host', 60_000, given.signal);
  given.abort();
  assert.equal(await waiting, 'late');
  releaseAll([held, held]);
  const again = await take(semaphore, 'two');
  assert.ok(isSlot(again) && !again.waited);
  assert.equal(isSlot(takeNow(semaphore, 'one')), false, 'released twice counts once');
});

test('bounds bytes per tenant and in all, and releases them', () => {
  const shares = newByteShares({ total: 100, perTenant: 60 });
  assert.equal(shares.take('one', 61), 'tenant');
  const giveBack = shares.take('one', 60);
  assert.ok(typeof giveBack === 'function');
  assert.equal(shares.take('one', 1), 'tenant');
  assert.equal(shares.take('two', 41), 'service');
  assert.equal(typeof shares.take('two', 40), 'function');
  assert.equal(typeof shares.take('three', 0), 'function');
  giveBack();
  assert.equal(typeof shares.take('three', 60), 'function');
});

test('reports to a refused tenant if its own share is full or all slots are taken', () => {
  const semaphore = newSlotSemaphore({ total: 4, perTenant: 2, perPlace: 1, waiting: 10, waitingPerTenant: 5 });
  takeNow(semaphore, 'one', 'a');
  assert.equal(semaphore.busy('one', 'a'), 'tenant', 'its place is taken');
  takeNow(semaphore, 'one', 'b');
  assert.equal(semaphore.busy('one', 'c'), 'tenant', 'it holds its bound');
  for (const tenant of ['two', 'three']) assert.ok(isSlot(takeNow(semaphore, tenant)));
  assert.equal(semaphore.busy('four', 'a'), 'service');
  assert.equal(semaphore.busy('two', 'other'), 'service', 'nothing is free beyond what it holds');
});
