import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isStorable, listUnstorablePointers, toStorable } from './storable-json.ts';

const listPointers = (value: unknown): string[] => listUnstorablePointers(value).map(({ pointer }) => pointer);

test('any text of complete characters is accepted, in any script', () => {
  for (const text of ['', 'plain', 'Zürich', '支払い', '👩🏽‍💻', '\u0001\u007f\ufeff']) assert.ok(isStorable(text), JSON.stringify(text));
  assert.deepEqual(listPointers({ a: ['b', { c: '👍' }], d: 1, e: null, f: true }), []);
});

test('a NUL character and half of a surrogate pair are found with their pointers, in names too', () => {
  assert.deepEqual(listPointers({ a: 'x\0', b: [{ 'c/~': '\ud800' }, '\udc00x'], ok: 'y' }), ['/a', '/b/0/c~1~0', '/b/1']);
  assert.deepEqual(listPointers({ 'n\0': 1, m: { '\ud83d': {} } }), ['/n', '/m/\ufffd']);
  assert.deepEqual(listPointers('\0'), ['']);
});

test('a number out of range is found with its pointer, so that it is not evaluated and stored differently', () => {
  assert.deepEqual(listPointers(JSON.parse('{"a":[1e308,-1e400],"b":{"c":1e400},"d":-0}')), ['/a/1', '/b/c']);
});

test('text that cannot be stored is repaired with U+FFFD, in names too, and other values stay', () => {
  const value = { a: 'x\0y', b: [{ c: '\ud800' }, 7, null], ok: 'Zürich 👍', 'n\0': true };
  assert.deepEqual(toStorable(value), { a: 'x\ufffdy', b: [{ c: '\ufffd' }, 7, null], ok: 'Zürich 👍', 'n\ufffd': true });
  assert.deepEqual(listUnstorablePointers(toStorable(value)), []);
});
