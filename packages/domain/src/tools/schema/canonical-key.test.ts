import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { deriveCanonicalKey } from './canonical-key.ts';

test('ignores the order of members and the notation of a number, and nothing else', () => {
  assert.equal(deriveCanonicalKey({ a: 1, b: [2, { c: null, d: 'x' }] }), deriveCanonicalKey({ b: [2.0, { d: 'x', c: null }], a: 1 }));
  assert.equal(deriveCanonicalKey(-0), deriveCanonicalKey(0));
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
    assert.notEqual(deriveCanonicalKey(a), deriveCanonicalKey(b));
  }
});

test('returns equal keys exactly for equal JSON values', () => {
  const value = fc.jsonValue({ maxDepth: 3 }).map((json) => JSON.parse(JSON.stringify(json)));
  fc.assert(fc.property(value, value, (a, b) => assert.equal(deriveCanonicalKey(a) === deriveCanonicalKey(b), isDeepStrictEqual(a, b))));
});
