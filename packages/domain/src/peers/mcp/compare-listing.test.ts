import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareListing, type KnownTool, movedTools } from './compare-listing.ts';

const known = (name: string, status: KnownTool['status'], pin: string, authorized_pin: string | null = null): KnownTool => ({
  id: `mct_${name}`,
  ...{ name, status, pin, authorized_pin },
});

const told = (tools: readonly KnownTool[], listed: readonly { name: string; pin: string }[]) =>
  compareListing(tools, listed).map(({ change, status, known: before, listed: after }) => [(before ?? after)?.name, change, status]);

test('a new tool is discovered and unauthorized, and quarantines nothing', () => {
  const tools = [known('search', 'AUTHORIZED', 'a', 'a')];
  const listed = [
    { name: 'search', pin: 'a' },
    { name: 'delete', pin: 'b' },
  ];
  assert.deepEqual(told(tools, listed), [
    ['search', 'SAME', 'AUTHORIZED'],
    ['delete', 'NEW', 'DISCOVERED'],
  ]);
  assert.deepEqual(movedTools(compareListing(tools, listed)), []);
});

test('an authorized tool with another pin is CHANGED, and AUTHORIZED again with the old pin', () => {
  const moved = compareListing([known('search', 'AUTHORIZED', 'a', 'a')], [{ name: 'search', pin: 'b' }]);
  assert.deepEqual(
    movedTools(moved).map(({ status }) => status),
    ['CHANGED'],
  );
  assert.deepEqual(told([known('search', 'CHANGED', 'b', 'a')], [{ name: 'search', pin: 'a' }]), [['search', 'CHANGED', 'AUTHORIZED']]);
});

test('also moves a tool that returns with another definition', () => {
  const back = compareListing([known('search', 'GONE', 'a', 'a')], [{ name: 'search', pin: 'b' }]);
  assert.deepEqual(
    movedTools(back).map(({ change, status }) => [change, status]),
    [['BACK', 'CHANGED']],
  );
});

test('a disabled tool stays disabled, listed or not, and an unauthorized one may change', () => {
  const tools = [known('a', 'DISABLED', 'a', 'a'), known('b', 'DISCOVERED', 'b'), known('c', 'DISABLED', 'c', 'c')];
  assert.deepEqual(
    told(tools, [
      { name: 'a', pin: 'x' },
      { name: 'b', pin: 'y' },
    ]),
    [
      ['a', 'CHANGED', 'DISABLED'],
      ['b', 'CHANGED', 'DISCOVERED'],
      ['c', 'SAME', 'DISABLED'],
    ],
  );
});
