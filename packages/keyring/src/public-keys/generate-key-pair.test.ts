import assert from 'node:assert/strict';
import { createPrivateKey, sign, verify } from 'node:crypto';
import { test } from 'node:test';
import { generateKeyPair } from './generate-key-pair.ts';
import { readPublicKey } from './read-public-key.ts';

test('generates pairs that belong together, and whose public half is accepted at registration', () => {
  const pair = generateKeyPair();
  const read = readPublicKey(pair.public_key);
  assert.ok(read.ok);
  const privateKey = createPrivateKey({ key: Buffer.from(pair.private_key, 'base64'), format: 'der', type: 'pkcs8' });
  const message = Buffer.from('proof');
  assert.ok(verify(null, message, read.key, sign(null, message, privateKey)));
});

test('generates no two equal pairs', () => {
  assert.notEqual(generateKeyPair().private_key, generateKeyPair().private_key);
});
