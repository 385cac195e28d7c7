import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { test } from 'node:test';
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts';

const key = createSecretKey(Buffer.alloc(32, 1));

test('a recovery code has 120 random bits, so that a plain hash of it could not be guessed either', () => {
  const codes = Array.from({ length: 50 }, () => newRecoveryCodes(key, 'usr_1').codes).flat();
  for (const code of codes) assert.match(code, /^([0-9a-hjkmnp-tv-z]{4}-){5}[0-9a-hjkmnp-tv-z]{4}$/);
  assert.equal(new Set(codes).size, codes.length);
  const places = codes.map((code) => [...code.replaceAll('-', '')]);
  for (let place = 0; place < 24; place += 1) assert.ok(new Set(places.map((each) => each[place])).size > 28, `the character at ${place}`);
});

test('a code of sixteen characters, as they were made before, is still found, and none of another length', () => {
  assert.ok(recoveryCodeHash(key, 'usr_1', '0123-4567-89ab-cdef'));
  for (const other of ['0123-4567-89ab-cde', '0123-4567-89ab-cdef-0123', '0123-4567-89ab-cdef-0123-4567-8'])
    assert.equal(recoveryCodeHash(key, 'usr_1', other), undefined, other);
});
