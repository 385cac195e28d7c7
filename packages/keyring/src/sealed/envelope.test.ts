import assert from 'node:assert/strict';
import { createDecipheriv, createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { CredentialKeyError } from './credential-key-error.ts';
import { newWrappedDataKey, openEnvelope, sealEnvelope, unwrapDataKey } from './envelope.ts';

const newKey = () => createSecretKey(randomBytes(32));
const key = newKey();
const place = 'credentials/org_1/cred_1/secret';
const secret = Buffer.from('the downstream password');

test('opens any sealed bytes unchanged in their place', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.string({ unit: 'grapheme' }), (bytes, boundTo) => {
      assert.deepEqual(openEnvelope(key, sealEnvelope(key, bytes, boundTo), boundTo), Buffer.from(bytes));
    }),
  );
});

test('opens no sealed value that was moved to another place', () => {
  const sealed = sealEnvelope(key, secret, place);
  for (const other of ['credentials/org_2/cred_1/secret', 'credentials/org_1/cred_2/secret', `${place} `, '']) {
    assert.throws(() => openEnvelope(key, sealed, other), CredentialKeyError);
  }
});

test('opens no sealed value with another key', () => {
  assert.throws(() => openEnvelope(newKey(), sealEnvelope(key, secret, place), place), CredentialKeyError);
});

test('detects every flipped bit, cut and addition in a sealed value', () => {
  const sealed = sealEnvelope(key, secret, place);
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const flipped = Buffer.from(sealed);
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    assert.throws(() => openEnvelope(key, flipped, place), CredentialKeyError, `bit ${bit}`);
  }
  for (let length = 0; length < sealed.length; length += 1) {
    assert.throws(() => openEnvelope(key, sealed.subarray(0, length), place), CredentialKeyError, `cut to ${length}`);
  }
  assert.throws(() => openEnvelope(key, Buffer.concat([sealed, Buffer.alloc(1)]), place), CredentialKeyError);
});

test('seals the same secret to different bytes each time, without plain text', () => {
  const [one, other] = [sealEnvelope(key, secret, place), sealEnvelope(key, secret, place)];
  assert.notDeepEqual(one, other);
  assert.notDeepEqual(one.subarray(1, 13), other.subarray(1, 13), 'a nonce is never used twice');
  assert.equal(one.indexOf(secret), -1);
});

test('seals with plain AES-256-GCM, readable without this program', () => {
  const bytes = randomBytes(32);
  const sealed = sealEnvelope(createSecretKey(bytes), secret, place);
  const decipher = createDecipheriv('aes-256-gcm', bytes, sealed.subarray(1, 13))
    .setAAD(Buffer.from(place))
    .setAuthTag(sealed.subarray(-16));
  assert.deepEqual(Buffer.concat([decipher.update(sealed.subarray(13, -16)), decipher.final()]), secret);
});

test('opens a value with a data key that was wrapped, stored and unwrapped', () => {
  const wrapped = newWrappedDataKey(key, 'org_1');
  const sealed = sealEnvelope(unwrapDataKey(key, wrapped, 'org_1'), secret, place);
  assert.deepEqual(openEnvelope(unwrapDataKey(key, wrapped, 'org_1'), sealed, place), secret);
});

test('unwraps no data key for another organization or with another master key', () => {
  const wrapped = newWrappedDataKey(key, 'org_1');
  assert.throws(() => unwrapDataKey(key, wrapped, 'org_2'), CredentialKeyError);
  assert.throws(() => unwrapDataKey(newKey(), wrapped, 'org_1'), CredentialKeyError);
  assert.throws(() => unwrapDataKey(key, sealEnvelope(key, Buffer.alloc(16), 'data_keys/org_1'), 'org_1'), CredentialKeyError);
});

test('logs no key material of an error or a key', () => {
  const bytes = randomBytes(32);
  const known = createSecretKey(bytes);
  assert.throws(
    () => openEnvelope(known, sealEnvelope(newKey(), secret, place), place),
    (error) => {
      const printed = inspect(error, { depth: 9, showHidden: true }) + inspect(known, { depth: 9, showHidden: true });
      return !printed.includes(bytes.toString('hex')) && !printed.includes(bytes.toString('base64')) && !printed.includes('password');
    },
  );
});
