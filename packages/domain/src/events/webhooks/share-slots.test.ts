import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type DeliveryReceiver, shareSlots } from './share-slots.ts';

const { unprovenSendsMax, organizationUnprovenSendsMax } = LIMITS.webhooks;

/** Returns hanging receivers, of as many organizations as can fill all slots for such, each with its maximum in progress. */
const hanging = (): DeliveryReceiver[] =>
  Array.from({ length: unprovenSendsMax }, (_, n) => ({
    id: `hanging-${n}`,
    organizationId: `hostile-${Math.floor(n / organizationUnprovenSendsMax)}`,
    inFlight: 1,
    window: 8,
    standing: 'slow',
    busyAt: 0,
  }));

const VICTIM: DeliveryReceiver = { id: 'victim', organizationId: 'victim', inFlight: 0, window: 1, standing: 'slow', busyAt: 0 };

test('gives a free slot to the organization with the least in progress, in any order of arrival', () => {
  const hostile = hanging();
  const full = [...hostile, VICTIM];
  assert.deepEqual([...shareSlots(full, full)], []);
  const oneFree = [...hostile.with(0, { ...VICTIM, id: 'hanging-0', organizationId: 'hostile-0', window: 8 }), VICTIM];
  assert.deepEqual([...shareSlots(oneFree, oneFree)], [['victim', 1]]);
});

test('gives a free slot within an organization to its receiver with the least in progress', () => {
  const own = hanging().slice(0, organizationUnprovenSendsMax - 1);
  const other: DeliveryReceiver = { ...VICTIM, organizationId: 'hostile-0' };
  assert.deepEqual([...shareSlots([...own, other], [...own, other])], [['victim', 1]]);
});

test('distributes several free slots round-robin', () => {
  const all: DeliveryReceiver[] = ['a', 'b', 'c'].map((id) => ({ ...VICTIM, id, organizationId: id, window: 2 }));
  assert.deepEqual(Object.fromEntries(shareSlots(all, all)), { a: 2, b: 2, c: 2 });
});

test('gives a free slot to the longest waiting one if all have as much in progress', () => {
  const busy: DeliveryReceiver[] = Array.from({ length: unprovenSendsMax - 1 }, (_, n) => ({
    ...VICTIM,
    id: `${n}`,
    organizationId: `${n}`,
    inFlight: 1,
  }));
  const ended: DeliveryReceiver = { ...VICTIM, id: 'ended', organizationId: 'ended', busyAt: 2 };
  const waits: DeliveryReceiver = { ...VICTIM, busyAt: 1 };
  const all = [ended, ...busy, waits];
  assert.deepEqual([...shareSlots(all, all)], [['victim', 1]]);
});
