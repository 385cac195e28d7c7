import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expandPath } from '../conditions/expand-path.ts';
import { newRun } from '../evaluation/node.ts';
import { parsePath } from './path.ts';
import { readPath } from './read-path.ts';

const segments = (path: string) => {
  const parsed = parsePath(path);
  assert.ok('segments' in parsed, path);
  return parsed.segments;
};
const read = (value: unknown, path: string): unknown => readPath(value, segments(path));
const gather = (value: unknown, path: string): unknown[] => {
  return expandPath(newRun(Number.POSITIVE_INFINITY), path, value, segments(path)).values;
};

test('decodes escapes for a tilde, a dot and a star once each', () => {
  assert.deepEqual(
    segments('a~1b.~2.~01').map(({ key, each }) => [key, each]),
    [
      ['a.b', false],
      ['*', false],
      ['~1', false],
    ],
  );
});

test('reads only a canonical number as an index', () => {
  assert.deepEqual(
    ['0', '10', '01', '-1', '1e3', '9999999999'].map((path) => segments(path)[0]?.index),
    [0, 10, -1, -1, -1, -1],
  );
});

test('reads an index as a key if the value is an object', () => {
  assert.equal(read({ items: { 0: 'a', '01': 'b' } }, 'items.0'), 'a');
  assert.equal(read({ items: { 0: 'a', '01': 'b' } }, 'items.01'), 'b');
  assert.equal(read({ items: ['a'] }, 'items.01'), undefined);
});

test('reads only own members', () => {
  for (const path of [
    'constructor',
    '__proto__',
    'toString',
    'list.length',
    'list.map',
    'text.length',
    'text.0',
    'number.toFixed',
    'nothing.x',
  ]) {
    assert.equal(read({ list: [1], text: 'ab', number: 5, nothing: null }, path), undefined, path);
  }
});

test('matches by a star every element or member, and one missing value if there is nothing to step into', () => {
  assert.deepEqual(gather({ items: [{ a: 1 }, { a: 2 }, 3] }, 'items.*.a'), [1, 2, undefined]);
  assert.deepEqual(gather({ items: { x: 1, y: [2] } }, 'items.*'), [1, [2]]);
  assert.deepEqual(gather({ items: [[1], [2, 3]] }, 'items.*.*'), [1, 2, 3]);
  assert.deepEqual(gather({}, 'items.*.a'), [undefined]);
  assert.deepEqual(gather({ items: 'text' }, 'items.*'), [undefined]);
  assert.deepEqual(gather({ items: [] }, 'items.*.a'), []);
});

test('matches by two stars, alone, every value that is no list and no object, at any depth', () => {
  const path = parsePath('**');
  assert.ok('segments' in path);
  const root = { a: 1, b: [{ c: 'x', d: [null, [true]] }, {}], e: [] };
  const { values, keys } = expandPath(newRun(Number.POSITIVE_INFINITY), 'parameters.**', root, path.segments);
  assert.deepEqual(values, [1, 'x', null, true]);
  assert.deepEqual(keys, ['a', 'b.c', 'b.d', 'b.d']);
  for (const wrong of ['a.**', '**.a', '**.**', '****', 'a.***', '***.a']) assert.ok('fault' in parsePath(wrong), wrong);
});

test('matches by three stars the same values and the name of every member', () => {
  const path = parsePath('***');
  assert.ok('segments' in path);
  const root = { a: 1, b: [{ c: 'x', d: [null, [true]] }, {}], e: [], f: { g: {} } };
  const { values, keys } = expandPath(newRun(Number.POSITIVE_INFINITY), 'parameters.***', root, path.segments);
  assert.deepEqual(values, ['a', 1, 'b', 'c', 'x', 'd', null, true, 'e', 'f', 'g']);
  assert.deepEqual(keys, [null, 'a', null, 'b', 'b.c', 'b', 'b.d', 'b.d', null, null, 'f']);
});
