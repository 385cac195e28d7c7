import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { wideningFaults } from './narrow.ts';

test('what asks for more is told by its place, and what asks for less is not', () => {
  const asked = { amount: 500, to: { 'a/b~c': [1, 2, 3], note: 'x' }, list: ['a', 'b', 'c'] };
  assert.deepEqual(wideningFaults(asked, { amount: 20, to: { 'a/b~c': [1, 1, 0] }, list: ['a', 'c'] }), []);
  const faults = wideningFaults(asked, { amount: 501, to: { 'a/b~c': [1, 2, 4], note: 'y' }, list: ['c', 'a'], more: 1 });
  assert.deepEqual(
    faults.map(({ pointer }) => pointer),
    ['/parameters/amount', '/parameters/to/a~1b~0c/2', '/parameters/to/note', '/parameters/list', '/parameters/more'],
  );
});

test('however much is wrong, and however long the way to it, the first of it is told alone', () => {
  const nested = (value: unknown): unknown => Array.from({ length: 20 }).reduce((inner) => ({ ['~'.repeat(256)]: inner }), value);
  const [asked, edited] = [1, 2].map((each) => ({ deep: nested(Array.from({ length: 28_000 }, () => each)) }));
  const told = JSON.stringify(wideningFaults(asked ?? {}, edited ?? {}));
  assert.equal(JSON.parse(told).length, LIMITS.bodies.faultsMax);
  assert.ok(told.length < 500_000, `${told.length}`);
});
