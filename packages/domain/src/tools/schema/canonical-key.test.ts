import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { canonicalKey } from './canonical-key.ts';

test('ignores the order of members and the notation of a number, and nothing else', () => {
  assert.equal(canonicalKey({ a: 1, b: [2, { c: null, d: 'x' }] }), canonicalKey({ b: [2.0, { d: 'x', c: null }], a: 1 }));
  assert.equal(canonicalKey(-0), canonicalKey(0));
  for (const [a, b] of [
    [1, '1'],
    [null, 'null'],
    [[], {}],
    [
      [1, 2],
      [2, 1],
    ],
    [['a,b'], ['a', 'b']],
    [{ a: 1 }, { a: 1, b: 2 }],
    [true, 1],
    ['', []],
  ]) {
    assert.notEqual(canonicalKey(a), canonicalKey(b));
  }
});

test('returns equal keys exactly for equal JSON values', () => {
  const value = fc.jsonValue({ maxDepth: 3 }).map((json) => JSON.parse(JSON.stringify(json)));
  fc.assert(fc.property(value, value, (a, b) => assert.equal(canonicalKey(a) === canonicalKey(b), isDeepStrictEqual(a, b))));
});
