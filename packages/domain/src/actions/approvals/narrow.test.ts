import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { findWideningFaults } from './narrow.ts';

type Parameters = Readonly<Record<string, unknown>>;
const narrowed = (asked: Parameters, edited: Parameters, narrowable: readonly string[] = [], amount_from: string | null = null): string[] =>
  findWideningFaults(asked, edited, { narrowable, amount_from }).map(({ pointer }) => pointer);

test('reports a larger request at its pointer, and not a smaller one', () => {
  const asked = { amount: 500, to: { 'a/b~c': { n: 3 }, note: 'x' }, list: ['a', 'b', 'c'] };
  const open = ['/amount', '/to', '/list'];
  assert.deepEqual(narrowed(asked, { amount: 20, to: { 'a/b~c': { n: 0 } }, list: ['a', 'c'] }, open), []);
  assert.deepEqual(narrowed(asked, { amount: 501, to: { 'a/b~c': { n: 4 }, note: 'y' }, list: ['c', 'a'], more: 1 }, open), [
    ...['/parameters/amount', '/parameters/to/a~1b~0c/n', '/parameters/to/note', '/parameters/list', '/parameters/more'],
  ]);
});

test('permits only reducing the amount if the tool names nothing, and reports which pointer to declare', () => {
  const asked = { to_account: 88213, amount: 5000, dry_run: true, ids: [1, 2, 3], filter: { from: 7, only: { a: 1 } } };
  assert.deepEqual(narrowed(asked, { ...asked, amount: 1 }, [], '/amount'), []);
  assert.deepEqual(narrowed(asked, { ...asked, amount: 1 }), ['/parameters/amount']);
  const { dry_run: _, amount: __, ...without } = asked;
  assert.deepEqual(narrowed(asked, without, [], '/amount'), ['/parameters/amount', '/parameters/dry_run']);
  for (const [edited, pointer] of [
    [{ to_account: 12 }, '/to_account'],
    [{ ids: [1, 3] }, '/ids'],
    [{ ids: [] }, '/ids'],
    [{ filter: { from: 7, only: {} } }, '/filter/only/a'],
    [{ filter: { from: 7 } }, '/filter/only'],
  ] as const) {
    const [fault, ...more] = findWideningFaults(
      asked,
      { ...asked, ...edited },
      { narrowable: ['/filter/only/b', '/id'], amount_from: null },
    );
    assert.deepEqual([fault?.pointer, more], [`/parameters${pointer}`, []]);
    assert.ok(fault?.message.endsWith(`declares ${pointer} in narrowable`), fault?.message);
    assert.deepEqual(narrowed(asked, { ...asked, ...edited }, [pointer]), []);
  }
  assert.deepEqual(narrowed(asked, { ...asked, filter: { from: 7 } }, ['/filter/only/a']), ['/parameters/filter/only']);
  assert.deepEqual(
    narrowed(asked, {}, ['']),
    Object.keys(asked).map((name) => `/parameters/${name}`),
    'all at once are named by nothing',
  );
});

test('removes elements of a list whole and never changes them, unless a pointer names one', () => {
  const asked = {
    ids: [1, 2, 3],
    lines: [
      { item: 881, count: 5 },
      { item: 882, count: 6 },
    ],
    rows: [[1, 2], [3]],
  };
  const open = ['/ids', '/lines', '/rows'];
  assert.deepEqual(narrowed(asked, { ids: [], lines: asked.lines.slice(1), rows: [[1, 2]] }, open), []);
  assert.deepEqual(narrowed(asked, { ...asked, ids: [1, 1, 1] }, open), ['/parameters/ids/1', '/parameters/ids/2']);
  assert.deepEqual(narrowed(asked, { ...asked, ids: [1, 1] }, open), ['/parameters/ids']);
  const one = (line: object) => ({ ...asked, lines: [line, asked.lines[1]] });
  assert.deepEqual(narrowed(asked, one({ item: 12, count: 5 }), open), ['/parameters/lines/0/item']);
  assert.deepEqual(narrowed(asked, one({ item: 881 }), open), ['/parameters/lines/0/count']);
  assert.deepEqual(narrowed(asked, { ...asked, rows: [[1], [3]] }, open), ['/parameters/rows/0']);
  assert.deepEqual(narrowed(asked, one({ item: 881, count: 1 }), [...open, '/lines/0/count']), []);
  assert.deepEqual(narrowed(asked, one({ item: 881, count: 1 }), [], '/lines/0/count'), []);
});

test('reports only the first fault, however many there are and however long the path', () => {
  const nested = (value: unknown): unknown => Array.from({ length: 20 }).reduce((inner) => ({ ['~'.repeat(256)]: inner }), value);
  const [asked, edited] = [1, 2].map((each) => ({ deep: nested(Array.from({ length: 28_000 }, () => each)) }));
  const told = JSON.stringify(findWideningFaults(asked ?? {}, edited ?? {}, { narrowable: ['/deep'], amount_from: null }));
  assert.equal(JSON.parse(told).length, LIMITS.bodies.faultsMax);
  assert.ok(told.length < 500_000, `${told.length}`);
});
