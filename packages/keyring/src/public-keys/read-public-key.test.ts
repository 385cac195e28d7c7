import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { ED25519_TORSION_SUBGROUP, ed25519 } from '@noble/curves/ed25519.js';
import { generateKeyPair } from './generate-key-pair.ts';
import { readPublicKey, SPKI_HEAD } from './read-public-key.ts';
import { computeThumbprint } from './thumbprint.ts';

const getSpki = (raw: Uint8Array): string => Buffer.concat([SPKI_HEAD, raw]).toString('base64');
const good = generateKeyPair().public_key;
const goodDer = Buffer.from(good, 'base64');
const reasonFor = (text: string): string => {
  const read = readPublicKey(text);
  return read.ok ? 'accepted' : read.reason;
};

test('reads a sound key with its canonical text and its thumbprint', () => {
  const read = readPublicKey(good);
  assert.ok(read.ok);
  assert.equal(read.spki, good);
  assert.equal(read.key.asymmetricKeyType, 'ed25519');
  assert.equal(read.thumbprint, computeThumbprint(goodDer.subarray(SPKI_HEAD.length)));
});

test('rejects a key of small order, under which lenient verifiers accept a forged signature', () => {
  const identity = Buffer.alloc(32);
  identity[0] = 1;
  const forged = Buffer.concat([identity, Buffer.alloc(32)]);
  assert.ok(ed25519.verify(forged, Buffer.from('a message nobody signed'), identity, { zip215: true }), 'the forgery is real');
  assert.match(reasonFor(getSpki(identity)), /small order/);
});

test('rejects each published torsion point, with either sign bit', () => {
  for (const hex of ED25519_TORSION_SUBGROUP) {
    const raw = Buffer.from(hex, 'hex');
    assert.match(reasonFor(getSpki(raw)), /small order/, hex);
    raw[31] = (raw[31] ?? 0) ^ 0x80;
    assert.match(reasonFor(getSpki(raw)), /small order|canonical encoding/, `${hex} with the other sign`);
  }
});

const spkiOfKind = (kind: 'x25519' | 'ed448'): string =>
  (kind === 'x25519' ? generateKeyPairSync('x25519') : generateKeyPairSync('ed448')).publicKey
    .export({ format: 'der', type: 'spki' })
    .toString('base64');
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'der', type: 'spki' }).toString('base64');

const refused: readonly (readonly [string, string])[] = [
  ['an empty text', ''],
  ['the raw 32 bytes', goodDer.subarray(12).toString('base64')],
  ['a PEM block', `-----BEGIN PUBLIC KEY-----\n${good}\n-----END PUBLIC KEY-----\n`],
  ['base64url', Buffer.concat([SPKI_HEAD, Buffer.alloc(32, 0xff)]).toString('base64url')],
  ['missing padding', good.replace(/=+$/, '')],
  ['a trailing newline', `${good}\n`],
  ['a leading space', ` ${good}`],
  ['a byte after the key', Buffer.concat([goodDer, Buffer.alloc(1)]).toString('base64')],
  ['a byte short', goodDer.subarray(0, 43).toString('base64')],
  ['DER with a long-form length', Buffer.concat([Buffer.from('30812a', 'hex'), goodDer.subarray(2)]).toString('base64')],
  [
    'DER with NULL parameters',
    Buffer.concat([Buffer.from('302c300706032b65700500032100', 'hex'), goodDer.subarray(12)]).toString('base64'),
  ],
  [
    'unused bits in the bit string',
    Buffer.concat([Buffer.from('302a300506032b6570032101', 'hex'), goodDer.subarray(12)]).toString('base64'),
  ],
  ['an X25519 key', spkiOfKind('x25519')],
  ['an Ed448 key', spkiOfKind('ed448')],
  ['a P-256 key', p256],
  ['a private key', generateKeyPair().private_key],
  ['a megabyte of text', 'A'.repeat(1_000_000)],
];
for (const [what, text] of refused) {
  test(`rejects ${what} as a public key without repeating it`, () => {
    const reason = reasonFor(text);
    assert.notEqual(reason, 'accepted');
    assert.ok(text === '' || !reason.includes(text));
  });
}
