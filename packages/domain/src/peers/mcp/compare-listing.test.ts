import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareListing, type KnownTool, type ListedTool, movedTools } from './compare-listing.ts';

const known = (name: string, status: KnownTool['status'], pin: string, authorized_pin: string | null = null): KnownTool => ({
  id: `mct_${name}`,
  ...{ kind: 'TOOL' as const, name, status, pin, authorized_pin },
});

const tool = (name: string, pin: string): ListedTool => ({ kind: 'TOOL', name, pin });

const told = (tools: readonly KnownTool[], listed: readonly ListedTool[]) =>
  compareListing(tools, listed).map(({ change, status, known: before, listed: after }) => [(before ?? after)?.name, change, status]);

test('a new tool is discovered and unauthorized, and quarantines nothing', () => {
  const tools = [known('search', 'AUTHORIZED', 'a', 'a')];
  const listed = [tool('search', 'a'), tool('delete', 'b')];
  assert.deepEqual(told(tools, listed), [
    ['search', 'SAME', 'AUTHORIZED'],
    ['delete', 'NEW', 'DISCOVERED'],
  ]);
  assert.deepEqual(movedTools(compareListing(tools, listed)), []);
});

test('an authorized tool with another pin is CHANGED, and AUTHORIZED again with the old pin', () => {
  const moved = compareListing([known('search', 'AUTHORIZED', 'a', 'a')], [tool('search', 'b')]);
  assert.deepEqual(
    movedTools(moved).map(({ status }) => status),
    ['CHANGED'],
  );
  assert.deepEqual(told([known('search', 'CHANGED', 'b', 'a')], [tool('search', 'a')]), [['search', 'CHANGED', 'AUTHORIZED']]);
});

test('also moves a tool that returns with another definition', () => {
  const back = compareListing([known('search', 'GONE', 'a', 'a')], [tool('search', 'b')]);
  assert.deepEqual(
    movedTools(back).map(({ change, status }) => [change, status]),
    [['BACK', 'CHANGED']],
  );
});

test('a disabled tool stays disabled, listed or not, and an unauthorized one may change', () => {
  const tools = [known('a', 'DISABLED', 'a', 'a'), known('b', 'DISCOVERED', 'b'), known('c', 'DISABLED', 'c', 'c')];
  assert.deepEqual(told(tools, [tool('a', 'x'), tool('b', 'y')]), [
    ['a', 'CHANGED', 'DISABLED'],
    ['b', 'CHANGED', 'DISCOVERED'],
    ['c', 'SAME', 'DISABLED'],
  ]);
});

test('a prompt and a tool of the same name are two', () => {
  const tools = [known('search', 'AUTHORIZED', 'a', 'a')];
  const listed = [{ kind: 'PROMPT', name: 'search', pin: 'b' }] as const;
  assert.deepEqual(told(tools, listed), [
    ['search', 'GONE', 'GONE'],
    ['search', 'NEW', 'DISCOVERED'],
  ]);
});
