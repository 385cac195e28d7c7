import assert from 'node:assert/strict';
import { createSecretKey, randomBytes, sign, verify } from 'node:crypto';
import { test } from 'node:test';
import { calculateJwkThumbprint } from 'jose';
import { readPublicKey } from '../public-keys/read-public-key.ts';
import { CredentialKeyError } from './credential-key-error.ts';
import { createPlatformKey, openPlatformKeys, platformJwk } from './platform-key.ts';

const wrappingKey = createSecretKey(randomBytes(32));
const stored = createPlatformKey(wrappingKey);

test('opens a created key, signs with it, and accepts it under its thumbprint', async () => {
  const keys = openPlatformKeys(wrappingKey, stored, []);
  const published = keys.accepted.get(keys.signing.kid);
  assert.ok(published);
  const message = Buffer.from('m');
  assert.ok(verify(null, message, published, sign(null, message, keys.signing.privateKey)));
  assert.equal(keys.signing.kid, await calculateJwkThumbprint(platformJwk(stored)));
  assert.ok(readPublicKey(stored.public_key).ok);
});

test('accepts previous keys and never signs with them', () => {
  const previous = createPlatformKey(wrappingKey);
  const keys = openPlatformKeys(wrappingKey, stored, [previous]);
  assert.deepEqual([...keys.accepted.keys()].sort(), [stored.kid, previous.kid].sort());
  assert.equal(keys.signing.kid, stored.kid);
});

test('accepts retired keys for checkpoints only', () => {
  const [previous, retired] = [createPlatformKey(wrappingKey), createPlatformKey(wrappingKey)];
  const keys = openPlatformKeys(wrappingKey, stored, [previous], [retired]);
  assert.equal(keys.accepted.has(retired.kid), false);
  assert.deepEqual([...keys.ofLog.keys()].sort(), [stored.kid, previous.kid, retired.kid].sort());
});

test('opens no key that was inserted without the master key, as previous or as retired', () => {
  const made = createPlatformKey(createSecretKey(randomBytes(32)));
  for (const row of [made, { ...made, sealed_private_key: stored.sealed_private_key }]) {
    assert.throws(() => openPlatformKeys(wrappingKey, stored, [row]), CredentialKeyError);
    assert.throws(() => openPlatformKeys(wrappingKey, stored, [], [row]), CredentialKeyError);
  }
});

test('stores no private half in plain text', () => {
  const { privateKey } = openPlatformKeys(wrappingKey, stored, []).signing;
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32);
  assert.equal(stored.sealed_private_key.indexOf(seed), -1);
});

test('opens no key that was sealed with another master key', () => {
  assert.throws(() => openPlatformKeys(createSecretKey(randomBytes(32)), stored, []), CredentialKeyError);
});

test('opens no row with a public half, private half or key id of another row', () => {
  const other = createPlatformKey(wrappingKey);
  for (const mixed of [
    { ...stored, public_key: other.public_key },
    { ...stored, sealed_private_key: other.sealed_private_key },
    { ...stored, kid: other.kid },
    { ...stored, kid: other.kid, public_key: other.public_key },
    { ...stored, kid: other.kid, sealed_private_key: other.sealed_private_key },
  ]) {
    assert.throws(() => openPlatformKeys(wrappingKey, mixed, []), CredentialKeyError);
  }
  assert.throws(() => openPlatformKeys(wrappingKey, stored, [{ ...other, public_key: stored.public_key }]), CredentialKeyError);
});

test('publishes the public half only in the JSON Web Key', () => {
  assert.deepEqual(Object.keys(platformJwk(stored)).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x']);
});
