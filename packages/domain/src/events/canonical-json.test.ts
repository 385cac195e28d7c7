import assert from 'node:assert/strict';
import { test } from 'node:test';
import canonicalize from 'canonicalize';
import { canonicalJson } from './canonical-json.ts';

const anything = (depth: number): unknown => {
  const kind = Math.floor(Math.random() * (depth > 3 ? 5 : 7));
  if (kind === 0) return null;
  if (kind === 1) return Math.random() < 0.5;
  if (kind === 2) return (Math.random() - 0.5) * 10 ** Math.floor(Math.random() * 40 - 20);
  if (kind === 3) return Math.floor(Math.random() * 2 ** 40);
  if (kind === 4) return String.fromCodePoint(...Array.from({ length: 4 }, () => 1 + Math.floor(Math.random() * 0xd7fe)));
  const many = Array.from({ length: Math.floor(Math.random() * 5) }, () => anything(depth + 1));
  return kind === 5
    ? many
    : Object.fromEntries(many.map((value) => [String.fromCharCode(33 + Math.floor(Math.random() * 50_000)).repeat(2), value]));
};

test('serializes any event like an independent implementation of the canonical form', () => {
  for (let n = 0; n < 2_000; n += 1) {
    const value = JSON.parse(JSON.stringify(anything(0)));
    assert.equal(canonicalJson(value), canonicalize(value));
  }
});

test('reproduces the examples of the standard, and accepts an unpaired surrogate', () => {
  const numbers = [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001];
  assert.equal(
    canonicalJson({ numbers, literals: [null, true, false] }),
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27]}',
  );
  const names = {
    '\u20ac': 'Euro',
    '\r': 'Return',
    '\ufb33': 'Dalet',
    '1': 'One',
    '\ud83d\ude00': 'Smiley',
    '\u0080': 'Control',
    '\u00f6': 'O',
  };
  assert.deepEqual(Object.values(JSON.parse(canonicalJson(names))).sort(), Object.values(names).sort());
  assert.equal(
    canonicalJson(names),
    '{"\\r":"Return","1":"One","\u0080":"Control","\u00f6":"O","\u20ac":"Euro","\ud83d\ude00":"Smiley","\ufb33":"Dalet"}',
  );
  const awkward = JSON.parse('{"b":[{"__proto__":1,"a":2}],"10":1,"9":2,"a":{"2":1,"10":2}}');
  assert.equal(canonicalJson(awkward), '{"10":1,"9":2,"a":{"10":2,"2":1},"b":[{"__proto__":1,"a":2}]}');
  assert.equal(canonicalJson({ half: 'a\ud83d' }), '{"half":"a\\ud83d"}');
});

/** Implements the standard by recursion. */
const recursive = (value: unknown): string => {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(recursive).join(',')}]`;
  const members = value as Record<string, unknown>;
  return `{${Object.keys(members)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${recursive(members[name])}`)
    .join(',')}}`;
};

/** Nests a value in arrays and objects alternately, each next to another value. */
const buried = (value: unknown, depth: number): unknown => {
  let whole = value;
  for (let n = 0; n < depth; n += 1) whole = n % 2 === 0 ? [n, whole] : { z: n, b: whole };
  return whole;
};

test('serializes deep values by the same rule', () => {
  for (let n = 0; n < 200; n += 1) {
    const value = JSON.parse(JSON.stringify(buried(anything(0), 480 + Math.floor(Math.random() * 40))));
    assert.equal(canonicalJson(value), recursive(value));
  }
});

test('accepts any depth', () => {
  const depth = 100_000;
  assert.equal(canonicalJson(JSON.parse(`${'['.repeat(depth)}1${']'.repeat(depth)}`)), `${'['.repeat(depth)}1${']'.repeat(depth)}`);
  const nested = `${'{"b":'.repeat(depth)}null${',"c":0}'.repeat(depth)}`;
  assert.ok(canonicalJson(JSON.parse(nested)) === nested);
  const unordered = `${'{"c":0,"b":'.repeat(depth)}null${'}'.repeat(depth)}`;
  assert.ok(canonicalJson(JSON.parse(unordered)) === nested);
});
