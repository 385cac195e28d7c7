import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256Hex } from './sha256-hex.ts';

test('computes SHA-256 over the UTF-8 of the text', () => {
  assert.equal(sha256Hex('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  assert.equal(sha256Hex('ü'), '607474ca475a9724d7360aba71a56d5df77e61350e3f724cfa1f46e857e2d85f');
});
