import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { test } from 'node:test';
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts';

const key = createSecretKey(Buffer.alloc(32, 1));

test('creates recovery codes of 120 random bits, so that even a plain hash could not be guessed', () => {
  const codes = Array.from({ length: 50 }, () => newRecoveryCodes(key, 'usr_1').codes).flat();
  for (const code of codes) assert.match(code, /^([0-9a-hjkmnp-tv-z]{4}-){5}[0-9a-hjkmnp-tv-z]{4}$/);
  assert.equal(new Set(codes).size, codes.length);
  const places = codes.map((code) => [...code.replaceAll('-', '')]);
  for (let place = 0; place < 24; place += 1) assert.ok(new Set(places.map((each) => each[place])).size > 28, `the character at ${place}`);
});

test('still accepts an earlier code of sixteen characters, and rejects any other length', () => {
  assert.ok(recoveryCodeHash(key, 'usr_1', '0123-4567-89ab-cdef'));
  for (const other of ['0123-4567-89ab-cde', '0123-4567-89ab-cdef-0123', '0123-4567-89ab-cdef-0123-4567-8'])
    assert.equal(recoveryCodeHash(key, 'usr_1', other), undefined, other);
});
