import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatPointer } from '../json-pointer.ts';
import { keepParts } from './keep-parts.ts';

const tokens = (pointer: string): string[] => pointer.slice(1).split('/');
const kept = (value: unknown, ...pointers: string[]) => keepParts(value, pointers.map(tokens)).value;

test('keeps only the named parts, in position; * enters each element, and an index leaves the others empty', () => {
  const answer = { id: 'r1', card: { number: '4111', brand: 'visa' }, lines: [{ sku: 'a', price: 1 }, { sku: 'b' }, { price: 3 }] };
  assert.deepEqual(kept(answer, '/id', '/card/brand'), { id: 'r1', card: { brand: 'visa' } });
  assert.deepEqual(kept(answer, '/lines/*/sku'), { lines: [{ sku: 'a' }, { sku: 'b' }, null] });
  assert.deepEqual(kept(answer, '/lines/1'), { lines: [null, { sku: 'b' }] });
  assert.deepEqual(kept(answer, '/lines/*/price', '/lines/0/sku'), { lines: [{ sku: 'a', price: 1 }, null, { price: 3 }] });
  assert.deepEqual(kept([1, [2]], '/*'), [1, [2]]);
  assert.deepEqual(kept({ lines: [] }, '/lines/*/sku'), { lines: [] });
  for (const none of [kept(answer, '/none'), kept('text', '/id'), kept(answer, '/id/deeper'), kept(answer, '/lines/sku'), kept([], '/x')])
    assert.ok(none === null || JSON.stringify(none) === '[]', JSON.stringify(none));
  assert.deepEqual(keepParts(answer, [['none'], ['id'], ['lines', '*', 'price'], ['lines', '9']]).found, [1, 2]);
});

test('treats a member called __proto__ like any other', () => {
  const answer = JSON.parse('{"__proto__":{"a":1},"b":2}');
  const part = kept(answer, '/__proto__/a') as object;
  assert.deepEqual([JSON.stringify(part), Object.getPrototypeOf(part) === Object.prototype], ['{"__proto__":{"a":1}}', true]);
  assert.equal(kept({ b: 1 }, '/constructor', '/toString'), null);
});

/** Returns every leaf of a JSON value with its path. */
const leaves = (value: unknown, at: readonly string[] = []): [string, unknown][] => {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return [[formatPointer(at), value]];
  return Object.entries(value).flatMap(([key, member]) => leaves(member, [...at, key]));
};
const isBelow = (leaf: readonly string[], pointer: readonly string[], isEach: boolean): boolean =>
  pointer.every((token, index) => leaf[index] === token || (isEach && token === '*' && /^[0-9]+$/.test(leaf[index] ?? '')));

test('keeps only existing leaves below a pointer, at their positions, for any response and pointers', () => {
  const key = fc.constantFrom('a', 'b', 'c', '0', '1', '*', '__proto__');
  const { json } = fc.letrec<{ json: unknown }>((tie) => ({
    json: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.oneof(fc.integer(), fc.string({ maxLength: 3 }), fc.constant(null), fc.boolean()),
      fc.array(tie('json'), { maxLength: 3 }),
      fc.array(fc.tuple(key, tie('json')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
    ),
  }));
  const pointers = fc.array(fc.array(key, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(json, pointers, (value, asked) => {
      const { value: part, found } = keepParts(value, asked);
      const was = new Map(leaves(value));
      for (const [pointer, leaf] of leaves(part)) {
        // Skipped elements before a kept one are null, and so is an object of which nothing is kept.
        if (leaf === null || (typeof leaf === 'object' && leaf !== null)) continue;
        assert.deepEqual(was.get(pointer), leaf, pointer);
        assert.ok(
          asked.some((each) => isBelow(pointer.slice(1).split('/'), each, true)),
          pointer,
        );
      }
      // Nothing that a pointer without * leads to is lost.
      for (const each of asked.filter((one) => !one.includes('*'))) {
        const under = formatPointer(each);
        const told = new Map(leaves(part));
        const below = [...was].filter(
          ([pointer, leaf]) => (pointer === under || pointer.startsWith(`${under}/`)) && typeof leaf !== 'object',
        );
        for (const [pointer, leaf] of below) assert.deepEqual(told.get(pointer), leaf, pointer);
      }
      assert.ok(found.every((index) => index < asked.length));
    }),
    { numRuns: 500 },
  );
});
