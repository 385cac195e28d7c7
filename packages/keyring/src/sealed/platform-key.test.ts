import assert from 'node:assert/strict';
import { createSecretKey, randomBytes, sign, verify } from 'node:crypto';
import { test } from 'node:test';
import { calculateJwkThumbprint } from 'jose';
import { readPublicKey } from '../public-keys/read-public-key.ts';
import { CredentialKeyError } from './credential-key-error.ts';
import { createPlatformKey, openPlatformKeys, platformJwk } from './platform-key.ts';

const wrappingKey = createSecretKey(randomBytes(32));
const stored = createPlatformKey(wrappingKey);

test('a created key opens, signs, and is accepted under its thumbprint', async () => {
  const keys = openPlatformKeys(wrappingKey, stored, []);
  const published = keys.accepted.get(keys.signing.kid);
  assert.ok(published);
  const message = Buffer.from('m');
  assert.ok(verify(null, message, published, sign(null, message, keys.signing.privateKey)));
  assert.equal(keys.signing.kid, await calculateJwkThumbprint(platformJwk(stored)));
  assert.ok(readPublicKey(stored.public_key).ok);
});

test('previous keys stay accepted and never sign', () => {
  const previous = createPlatformKey(wrappingKey);
  const keys = openPlatformKeys(wrappingKey, stored, [previous]);
  assert.deepEqual([...keys.accepted.keys()].sort(), [stored.kid, previous.kid].sort());
  assert.equal(keys.signing.kid, stored.kid);
});

test('keys that are retired are accepted of checkpoints alone', () => {
  const [previous, retired] = [createPlatformKey(wrappingKey), createPlatformKey(wrappingKey)];
  const keys = openPlatformKeys(wrappingKey, stored, [previous], [retired]);
  assert.equal(keys.accepted.has(retired.kid), false);
  assert.deepEqual([...keys.ofLog.keys()].sort(), [stored.kid, previous.kid, retired.kid].sort());
});

test('a key that somebody put beside them without the master key opens neither as a previous nor as a retired one', () => {
  const made = createPlatformKey(createSecretKey(randomBytes(32)));
  for (const row of [made, { ...made, sealed_private_key: stored.sealed_private_key }]) {
    assert.throws(() => openPlatformKeys(wrappingKey, stored, [row]), CredentialKeyError);
    assert.throws(() => openPlatformKeys(wrappingKey, stored, [], [row]), CredentialKeyError);
  }
});

test('the stored form does not hold the private half in the clear', () => {
  const { privateKey } = openPlatformKeys(wrappingKey, stored, []).signing;
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32);
  assert.equal(stored.sealed_private_key.indexOf(seed), -1);
});

test('a key sealed under another master key does not open', () => {
  assert.throws(() => openPlatformKeys(createSecretKey(randomBytes(32)), stored, []), CredentialKeyError);
});

test('a row with a public half, a private half or a key id of another row does not open', () => {
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

test('the published JSON Web Key holds the public half only', () => {
  assert.deepEqual(Object.keys(platformJwk(stored)).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x']);
});
