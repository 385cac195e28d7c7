import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { test } from 'node:test';
import { ED25519_TORSION_SUBGROUP } from '@noble/curves/ed25519.js';
import { type GivenPublicKey, parsePublicKey } from './parse-public-key.ts';
import { SPKI_HEAD } from './read-public-key.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const base64 = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
const jwk = publicKey.export({ format: 'jwk' }) as Record<string, unknown>;

const getReason = (given: GivenPublicKey): string => {
  const read = parsePublicKey(given);
  return read.ok ? 'accepted' : read.reason;
};

const forms: readonly (readonly [string, GivenPublicKey])[] = [
  ['base64 of its SPKI form', base64],
  ['PEM', pem],
  ['PEM with the line ends of Windows', pem.replaceAll('\n', '\r\n')],
  ['PEM without a last line end', pem.trim()],
  ['a JWK', jwk],
  ['a JWK that says what it is for', { ...jwk, kid: 'mine', use: 'sig', alg: 'EdDSA', key_ops: ['verify'] }],
];
for (const [what, given] of forms) {
  test(`reads ${what} as the same key with the same thumbprint`, () => {
    const read = parsePublicKey(given);
    assert.ok(read.ok, what);
    assert.equal(read.spki, base64);
    assert.deepEqual(read.thumbprint, (parsePublicKey(base64) as { thumbprint?: string }).thumbprint);
  });
}

const privatePem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const privates: readonly (readonly [string, GivenPublicKey])[] = [
  ['base64 PKCS8', privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')],
  ['PEM', privatePem(privateKey)],
  ['PEM of RSA', privatePem(rsa)],
  ['PEM of RSA in its old form', rsa.export({ type: 'pkcs1', format: 'pem' }).toString()],
  ['PEM of EC', ec.export({ type: 'sec1', format: 'pem' }).toString()],
  ['base64 PKCS8 of EC', ec.export({ type: 'pkcs8', format: 'der' }).toString('base64')],
  ['an encrypted PEM', privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' }).toString()],
  ['a private PEM under the label of a public one', privatePem(privateKey).replaceAll('PRIVATE KEY', 'PUBLIC KEY')],
  ['a JWK', privateKey.export({ format: 'jwk' }) as Record<string, unknown>],
  ['a JWK in a text', JSON.stringify(privateKey.export({ format: 'jwk' }), null, 1)],
  ['both halves in one text', `${pem}${privatePem(privateKey)}`],
];
for (const [what, given] of privates) {
  test(`rejects a private key given as ${what} as such, without repeating it`, () => {
    const reason = getReason(given);
    assert.match(reason, /^This is a private key.*Treat it as compromised/);
    const { d } = privateKey.export({ format: 'jwk' });
    assert.ok(!reason.includes(String(d)));
  });
}

const rawJwk = (raw: Buffer) => ({ kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') });
const getPem = (raw: Buffer) =>
  `-----BEGIN PUBLIC KEY-----\n${Buffer.concat([SPKI_HEAD, raw]).toString('base64')}\n-----END PUBLIC KEY-----`;

test('rejects each point of small order, and each non-canonical encoding of it, in every form', () => {
  for (const hex of ED25519_TORSION_SUBGROUP) {
    for (const sign of [0, 0x80]) {
      const raw = Buffer.from(hex, 'hex');
      raw[31] = (raw[31] ?? 0) ^ sign;
      for (const given of [rawJwk(raw), getPem(raw)]) assert.match(getReason(given), /small order|canonical encoding/, hex);
    }
  }
  for (let above = 0; above < 19; above += 1) {
    const raw = Buffer.alloc(32, 0xff);
    raw[0] = 0xed + above;
    raw[31] = 0x7f;
    assert.match(getReason(rawJwk(raw)), /canonical encoding/);
  }
});

const spkiPem = (key: KeyObject): string => createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();
const otherKinds: readonly (readonly [string, string])[] = [
  ['RSA', spkiPem(rsa)],
  ['RSA', spkiPem(generateKeyPairSync('rsa', { modulusLength: 4096 }).privateKey)],
  ['RSA', createPublicKey(rsa).export({ type: 'pkcs1', format: 'pem' }).toString()],
  ['RSA-PSS', spkiPem(generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).privateKey)],
  ['EC', spkiPem(ec)],
  ['EC', spkiPem(generateKeyPairSync('ec', { namedCurve: 'P-521' }).privateKey)],
  ['X25519', spkiPem(generateKeyPairSync('x25519').privateKey)],
  ['Ed448', spkiPem(generateKeyPairSync('ed448').privateKey)],
];
test('names the kind of another public key, as PEM and as base64, and the accepted kind', () => {
  for (const [kind, text] of otherKinds) {
    const bare = text.replaceAll(/-----.*-----|\s/g, '');
    for (const given of text.includes('RSA PUBLIC') ? [text] : [text, bare])
      assert.match(getReason(given), new RegExp(`^The key type ${kind}\\b.* is not supported; must be Ed25519`), given);
  }
});

test('explains PEM with line breaks written as backslash and n, and still warns of a disclosed private key', () => {
  assert.match(getReason(pem.replaceAll('\n', '\\n')), /backslash .* real line breaks/);
  assert.match(getReason(privatePem(privateKey).replaceAll('\n', '\\n')), /^This is a private key/);
});

const wrong: readonly (readonly [string, GivenPublicKey])[] = [
  ['a JWK of another curve', generateKeyPairSync('x25519').publicKey.export({ format: 'jwk' }) as Record<string, unknown>],
  ['a JWK of EC', createPublicKey(ec).export({ format: 'jwk' }) as Record<string, unknown>],
  ['a JWK for encryption', { ...jwk, use: 'enc' }],
  ['a JWK of another algorithm', { ...jwk, alg: 'ES256' }],
  ['a JWK with a padded x', { ...jwk, x: `${jwk.x}=` }],
  ['a JWK of 31 bytes', rawJwk(Buffer.alloc(31, 9))],
  ['a JWK of 33 bytes', rawJwk(Buffer.alloc(33, 9))],
  ['a JWK without x', { kty: 'OKP', crv: 'Ed25519' }],
  ['a JWK with a number for x', { ...jwk, x: 1 }],
  ['an empty object', {}],
  ['a JWK in a text', JSON.stringify(jwk)],
  ['a PEM of RSA', createPublicKey(rsa).export({ type: 'spki', format: 'pem' }).toString()],
  ['a certificate', pem.replaceAll('PUBLIC KEY', 'CERTIFICATE')],
  ['two PEM blocks', `${pem}${pem}`],
  ['a PEM with junk in it', pem.replace('\n', '\n!')],
  ['a key of OpenSSH', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGx ada@example.com'],
  ['a megabyte of white space', ' '.repeat(1_000_000)],
  ['a megabyte of braces', '{'.repeat(1_000_000)],
];
for (const [what, given] of wrong) {
  test(`rejects ${what} as no public key of this kind`, () => {
    const reason = getReason(given);
    assert.notEqual(reason, 'accepted');
    assert.doesNotMatch(reason, /private key/);
  });
}
