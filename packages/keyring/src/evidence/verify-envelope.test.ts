import assert from 'node:assert/strict';
import { constants, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { test } from 'node:test';
import { readProviderKey } from './provider-key.ts';
import { preAuthEncoding, verifyEnvelope } from './verify-envelope.ts';

const TYPE = 'application/vnd.in-toto+json';
const PAYLOAD = Buffer.from('{"_type":"x"}');

const readKey = (publicKey: KeyObject, more: object = {}) => {
  const read = readProviderKey({ ...(publicKey.export({ format: 'jwk' }) as { kty: string }), ...more });
  assert.ok(read.ok, read.ok ? '' : read.reason);
  return read.key;
};
const newEnvelope = (signature: Buffer, payloadType = TYPE) => ({
  payloadType,
  payload: PAYLOAD.toString('base64'),
  signatures: [{ sig: signature.toString('base64') }],
});

test('verifies envelopes by keys of every algorithm, and of no other key', () => {
  const signed = preAuthEncoding(TYPE, PAYLOAD);
  const ed = generateKeyPairSync('ed25519');
  const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' });
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pss = { key: rsa.privateKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
  const cases = [
    [readKey(ed.publicKey), sign(null, signed, ed.privateKey)],
    [readKey(p256.publicKey), sign('sha256', signed, p256.privateKey)],
    [readKey(p384.publicKey), sign('sha384', signed, p384.privateKey)],
    [readKey(rsa.publicKey), sign('sha256', signed, rsa.privateKey)],
    [readKey(rsa.publicKey, { alg: 'PS256' }), sign('sha256', signed, pss)],
  ] as const;
  for (const [at, [key, signature]] of cases.entries()) {
    assert.deepEqual(verifyEnvelope(newEnvelope(signature), [key]), { kid: key.kid, payload: PAYLOAD, signed }, key.alg);
    // The type is signed too.
    assert.ok('fault' in verifyEnvelope(newEnvelope(signature, 'text/plain'), [key]), key.alg);
    const [other] = cases[(at + 1) % cases.length] ?? cases[0];
    assert.ok('fault' in verifyEnvelope(newEnvelope(signature), [other]), key.alg);
  }
});
