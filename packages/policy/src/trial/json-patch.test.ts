import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonPatch, type PatchOperation } from './json-patch.ts';

const listKeys = (path: string): string[] =>
  path
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Applies a patch step by step, as RFC 6902 specifies. */
const apply = (document: unknown, patch: readonly PatchOperation[]): unknown => {
  let root = structuredClone(document);
  for (const operation of patch) {
    const keys = listKeys(operation.path);
    const last = keys.pop();
    const value = operation.op === 'remove' ? undefined : structuredClone(operation.value);
    if (last === undefined) {
      root = value;
      continue;
    }
    // biome-ignore lint/suspicious/noExplicitAny: walks any JSON
    const parent = keys.reduce((at: any, key) => (Object.hasOwn(at, key) ? at[key] : assert.fail(`no ${operation.path}`)), root);
    if (operation.op === 'add' && Array.isArray(parent)) {
      assert.ok(Number(last) <= parent.length, operation.path);
      parent.splice(Number(last), 0, value);
    } else if (operation.op === 'add') Object.defineProperty(parent, last, { value, enumerable: true, writable: true, configurable: true });
    else {
      assert.ok(Object.hasOwn(parent, last), operation.path);
      if (operation.op === 'replace') parent[last] = value;
      else if (Array.isArray(parent)) parent.splice(Number(last), 1);
      else delete parent[last];
    }
  }
  return root;
};

/** Few values and keys, so that equal parts are frequent. */
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, true, 0, 1, 'a', 'b'),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c/d', '~e', '', 'constructor'), tie('value')),
  ),
})).value;

test('turns the first document into the second by the patch', () => {
  fc.assert(
    fc.property(json, json, (from, to) => {
      assert.deepEqual(apply(from, jsonPatch(from, to)), structuredClone(to));
    }),
    { numRuns: 3000 },
  );
});

test('returns an empty patch for equivalent documents, in any order of their members', () => {
  assert.deepEqual(jsonPatch({ a: 1, b: [{ c: 2, d: 3 }] }, { b: [{ d: 3, c: 2 }], a: 1 }), []);
  fc.assert(fc.property(json, (value) => assert.deepEqual(jsonPatch(value, structuredClone(value)), [])));
});

test('returns one operation for an element inserted into a list', () => {
  assert.deepEqual(jsonPatch([1, 2, 3], [1, 9, 2, 3]), [{ op: 'add', path: '/1', value: 9 }]);
  assert.deepEqual(jsonPatch([1, 9, 2, 3], [1, 2, 3]), [{ op: 'remove', path: '/1' }]);
});

test('compares a member with an inherited name like any other', () => {
  const from = JSON.parse('{"__proto__": 1}');
  const to = JSON.parse('{"__proto__": 2, "toString": 3}');
  assert.deepEqual(jsonPatch(from, to), [
    { op: 'replace', path: '/__proto__', value: 2 },
    { op: 'add', path: '/toString', value: 3 },
  ]);
});

test('compares two lists of thousands of different values in well under a second', () => {
  const list = (prefix: string) => Array.from({ length: 5000 }, (_, index) => `${prefix}${index}`);
  const started = process.cpuUsage();
  assert.equal(jsonPatch({ value: list('a') }, { value: list('b') }).length, 5000);
  const { user, system } = process.cpuUsage(started);
  assert.ok(user + system < 2_000_000);
});

test('costs no more for deep nesting than for its size', () => {
  const nest = (leaf: unknown) => Array.from({ length: 60 }).reduce<unknown>((inner) => [[inner, 1], 2], leaf);
  const started = process.cpuUsage();
  assert.equal(jsonPatch(nest('a'), nest('b')).length, 1);
  const { user, system } = process.cpuUsage(started);
  assert.ok(user + system < 2_000_000);
});
