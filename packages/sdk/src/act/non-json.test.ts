import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { findNonJson } from './non-json.ts';

const circle: { self?: object } = {};
circle.self = circle;

test('values that JSON keeps are accepted', () => {
  const values = [null, 'a', '', 0, -1.5, true, {}, [], { a: [{ b: null }] }, { left: undefined }, Object.create(null), new Date(0)];
  for (const value of [...values, runInNewContext('({ a: [1] })')]) assert.equal(findNonJson(value), undefined);
});

const lost: readonly (readonly [string, unknown, string])[] = [
  ['NaN', { a: { b: Number.NaN } }, '/a/b'],
  ['Infinity', [1, Number.POSITIVE_INFINITY], '/1'],
  ['a bigint', { n: 1n }, '/n'],
  ['a function', { f: () => 1 }, '/f'],
  ['a symbol', { s: Symbol('s') }, '/s'],
  ['undefined in a list', [undefined], '/0'],
  ['a hole in a list', { list: Array(1) }, '/list/0'],
  ['a Map', { items: new Map([['a', 1]]) }, '/items'],
  ['a Set', { items: new Set([1]) }, '/items'],
  ['bytes', { body: new Uint8Array(2).buffer }, '/body'],
  [
    'an instance of a class of its own',
    {
      order: new (class Order extends Object {
        total = 1;
      })(),
    },
    '/order',
  ],
  ['something whose own JSON form is NaN', { toJSON: () => Number.NaN }, ''],
];
for (const [what, value, pointer] of lost) {
  test(`${what} is found with its pointer`, () => assert.equal(findNonJson(value), pointer));
}

test('an endless value is found instead of being followed forever', () => {
  assert.match(findNonJson(circle) ?? '', /^(\/self)+$/);
});
