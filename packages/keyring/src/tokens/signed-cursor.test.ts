import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { readCursor, signCursor } from './signed-cursor.ts';

const key = createSecretKey(randomBytes(32));
const payload = { after: 'act_01ARZ3NDEKTSV4RRFFQ69G5FAV', filter: { status: 'BLOCKED', q: 'überweisung' } };

test('carries the payload of a cursor in plain base64url', () => {
  const cursor = signCursor(key, payload);
  assert.match(cursor, /^[A-Za-z0-9_-]+$/);
  assert.deepEqual(readCursor(key, cursor), payload);
});

test('rejects a cursor with any character changed, cut or added', () => {
  const cursor = signCursor(key, payload);
  for (let at = 0; at < cursor.length; at += 1) {
    const changed = cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1);
    assert.equal(readCursor(key, changed), null, `changed at ${at}`);
    assert.equal(readCursor(key, cursor.slice(0, at)), null, `cut at ${at}`);
  }
  for (const text of [`${cursor}A`, `${cursor}=`, `${cursor}\n`, ` ${cursor}`]) assert.equal(readCursor(key, text), null);
});

test('rejects a cursor of another key', () => {
  assert.equal(readCursor(createSecretKey(randomBytes(32)), signCursor(key, payload)), null);
});

test('never throws, for any text', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.base64String(), fc.string({ unit: 'binary' })), (text) => readCursor(key, text) === null));
  assert.equal(readCursor(key, 'A'.repeat(1_000_000)), null);
});
