import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { CompactSign, compactVerify } from 'jose';
import { generateSigningKey } from '../public-keys/generate-key-pair.ts';
import { encodeHeader, signCompactJws, splitCompactJws, verifyCompactJws } from './compact-jws.ts';

const { publicKey, privateKey } = generateSigningKey();
const signed = signCompactJws(encodeHeader('test', 'k1'), { hello: 'wörld' }, privateKey);
const verify = (text: string): boolean => {
  const jws = splitCompactJws(text, 4096);
  return jws !== null && verifyCompactJws(jws, publicKey);
};

test('creates a JWS that verifies here and with an independent library', async () => {
  assert.ok(verify(signed));
  const { payload, protectedHeader } = await compactVerify(signed, publicKey);
  assert.deepEqual(JSON.parse(Buffer.from(payload).toString()), { hello: 'wörld' });
  assert.deepEqual(protectedHeader, { alg: 'EdDSA', typ: 'test', kid: 'k1' });
});

test('verifies a JWS of an independent library', async () => {
  const theirs = await new CompactSign(Buffer.from('any bytes')).setProtectedHeader({ alg: 'EdDSA' }).sign(privateKey);
  assert.ok(verify(theirs));
});

test('rejects a JWS with any changed character', () => {
  for (let at = 0; at < signed.length; at += 1) {
    for (const letter of ['A', 'B', '.', '=', '+']) {
      if (signed[at] === letter) continue;
      assert.ok(!verify(signed.slice(0, at) + letter + signed.slice(at + 1)), `${letter} at ${at}`);
    }
  }
});

test('rejects a second signature with the group order added to its scalar', () => {
  const [header, payload, signature = ''] = signed.split('.');
  const bytes = Buffer.from(signature, 'base64url');
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const scalar = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + order;
  Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex').reverse().copy(bytes, 32);
  assert.ok(!verify(`${header}.${payload}.${bytes.toString('base64url')}`));
});

test('splits only three canonical parts within the size', () => {
  const [header, payload, signature] = signed.split('.');
  const wrong = [
    '',
    '..',
    'not.a.jws',
    `${header}.${payload}`,
    `${header}.${payload}.`,
    `${header}..${signature}`,
    `.${payload}.${signature}`,
    `${signed}.`,
    `${signed}.${signature}`,
    `${signed}\n`,
    ` ${signed}`,
    `${signed}=`,
    `${header}=.${payload}.${signature}`,
    `${header}.${payload}.${signature?.slice(0, -1)}`,
    `${header}.${payload}.${signature}AAAA`,
  ];
  for (const text of wrong) assert.equal(splitCompactJws(text, 4096), null, text);
  for (const value of [null, undefined, 7, {}, [signed], Buffer.from(signed)]) assert.equal(splitCompactJws(value, 4096), null);
  assert.equal(splitCompactJws(signed, signed.length - 1), null);
  assert.notEqual(splitCompactJws(signed, signed.length), null);
});

test('verifies nothing with a key of another kind', () => {
  const jws = splitCompactJws(signed, 4096);
  assert.ok(jws);
  assert.ok(!verifyCompactJws(jws, generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey));
});
