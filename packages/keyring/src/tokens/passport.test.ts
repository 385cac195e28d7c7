import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { buildPassportClaims, type PassportSubject } from '@svc/domain/agents/agents/passport-claims.ts';
import { compactVerify, importJWK } from 'jose';
import { createPlatformKey, openPlatformKeys, platformJwk } from '../sealed/platform-key.ts';
import { signAgentToken } from './agent-token.ts';
import { encodeHeader, signCompactJws } from './compact-jws.ts';
import { signPassport, type VerifyingJwk, verifyPassport } from './passport.ts';

const wrappingKey = createSecretKey(randomBytes(32));
const stored = createPlatformKey(wrappingKey);
const keys = openPlatformKeys(wrappingKey, stored, []);
const jwk = platformJwk(stored);
const nowMs = Date.UTC(2026, 0, 31, 10);
const subject: PassportSubject = {
  agent_id: 'agt_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  name: 'Rückerstattung 💶',
  organization_id: 'org_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  environment_id: 'env_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  public_key_thumbprint: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  capabilities: Array.from({ length: 200 }, (_, n) => `capability.number_${n}`.padEnd(100, 'x')),
  key_generation: 1,
  version: 1,
};
const claims = buildPassportClaims(subject, nowMs, 3600);
const passport = signPassport(keys, claims);
const reject = (text: unknown, key: VerifyingJwk = jwk, atMs = nowMs) => {
  const answer = verifyPassport(text, key, atMs);
  assert.ok(isRefusal(answer));
  assert.equal(answer.refused, 'PASSPORT_INVALID');
};

test('verifies a passport offline with the published key alone, and states what was signed', () => {
  assert.deepEqual(verifyPassport(passport, JSON.parse(JSON.stringify(jwk)), nowMs), claims);
  assert.deepEqual(verifyPassport(passport, { kty: jwk.kty, crv: jwk.crv, x: jwk.x }, nowMs), claims);
});

test('creates a passport that an independent library verifies', async () => {
  const { payload, protectedHeader } = await compactVerify(passport, await importJWK({ ...jwk }));
  assert.deepEqual(JSON.parse(Buffer.from(payload).toString()), claims);
  assert.deepEqual(protectedHeader, { alg: 'EdDSA', typ: 'svc-passport+jws', kid: stored.kid });
});

test('expires a passport at its time', () => {
  assert.deepEqual(verifyPassport(passport, jwk, nowMs + 3_599_999), claims);
  reject(passport, jwk, nowMs + 3_600_000);
});

test('rejects a passport under another key, or a key of another kind or strength', () => {
  reject(passport, platformJwk(createPlatformKey(wrappingKey)));
  reject(passport, { ...platformJwk(createPlatformKey(wrappingKey)), kid: stored.kid });
  reject(passport, { ...jwk, crv: 'X25519' });
  reject(passport, { ...jwk, kty: 'EC' });
  reject(passport, { ...jwk, x: `${jwk.x}=` });
  const weak = { ...jwk, x: Buffer.from([1, ...Array(31).fill(0)]).toString('base64url') };
  const answer = verifyPassport(passport, weak, nowMs);
  assert.ok(isRefusal(answer));
  assert.match(answer.message ?? '', /key to verify/, 'refused for its key, before any signature is asked');
  reject(passport, {});
});

test('rejects a passport that names another key id than its key', () => {
  const misnamed = signCompactJws(encodeHeader('svc-passport+jws', 'another'), claims, keys.signing.privateKey);
  reject(misnamed);
  assert.deepEqual(verifyPassport(misnamed, { ...jwk, kid: 'another' }, nowMs), claims);
});

test('rejects a changed, cut or re-typed passport', () => {
  const [head, body = '', signature] = passport.split('.');
  const changed = JSON.parse(Buffer.from(body, 'base64url').toString());
  reject(`${head}.${Buffer.from(JSON.stringify({ ...changed, version: 2 })).toString('base64url')}.${signature}`);
  reject(`${head}.${body}.`);
  reject(`${passport}\n`);
  for (const value of [null, undefined, 7, {}, '', 'not.a.jws']) reject(value);
});

test("rejects a text that the platform's key signed for another purpose", () => {
  const scope = { issuer: 'i', audience: 'a' };
  const session = {
    agent_id: 'a',
    session_id: 's',
    organization_id: 'o',
    environment_id: 'e',
    key_generation: 1,
    session_series: 1,
    sdk_name: null,
    resource: null,
    jkt: null,
    context: null,
  };
  reject(signAgentToken(keys, scope, session, nowMs, 900));
  reject(signCompactJws(encodeHeader('svc-agent+jwt', stored.kid), claims, keys.signing.privateKey));
});

test('rejects a well-signed payload that is not exactly a passport', () => {
  const header = encodeHeader('svc-passport+jws', stored.kid);
  reject(signCompactJws(header, { ...claims, admin: true }, keys.signing.privateKey));
  reject(signCompactJws(header, [claims], keys.signing.privateKey));
  reject(signCompactJws(header, { ...claims, expires_at: '2026-02-30T10:00:00.000Z' }, keys.signing.privateKey));
});
