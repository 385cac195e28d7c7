import assert from 'node:assert/strict';
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { importJWK, jwtVerify } from 'jose';
import { createPlatformKey, openPlatformKeys, platformJwk } from '../sealed/platform-key.ts';
import { type AgentTokenSubject, signAgentToken, verifyAgentToken } from './agent-token.ts';
import { encodeHeader, signCompactJws } from './compact-jws.ts';

const wrappingKey = createSecretKey(randomBytes(32));
const stored = createPlatformKey(wrappingKey);
const keys = openPlatformKeys(wrappingKey, stored, []);
const scope = { issuer: 'https://control.example', audience: 'https://gateway.example' };
const subject: AgentTokenSubject = {
  agent_id: 'agt_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  session_id: 'ses_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  organization_id: 'org_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  environment_id: 'env_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  key_generation: 4,
  session_series: 2,
  sdk_name: '@svc/sdk',
  resource: null,
  jkt: null,
  context: null,
};
const nowMs = Date.UTC(2026, 0, 31, 10);
const token = signAgentToken(keys, scope, subject, nowMs, 900);
const read = (text: string, atMs = nowMs, readScope = scope): string => {
  const claims = verifyAgentToken(keys, readScope, text, atMs);
  return isRefusal(claims) ? claims.refused : 'accepted';
};

test('states the signed claims in a token, and no permissions of the agent', () => {
  assert.deepEqual(verifyAgentToken(keys, scope, token, nowMs), { ...subject, expiresAtMs: nowMs + 900_000, kid: stored.kid });
});

test('signs a JWT that an independent library verifies with the published key', async () => {
  const key = await importJWK({ ...platformJwk(stored) });
  const { payload, protectedHeader } = await jwtVerify(token, key, { ...scope, currentDate: new Date(nowMs), algorithms: ['EdDSA'] });
  assert.deepEqual(protectedHeader, { alg: 'EdDSA', typ: 'svc-agent+jwt', kid: stored.kid });
  assert.equal(payload.sub, subject.agent_id);
  assert.equal(payload.jti, subject.session_id);
  assert.equal(payload.exp, nowMs / 1000 + 900);
});

test('expires a token at the second it names', () => {
  assert.equal(read(token, nowMs + 899_999), 'accepted');
  assert.equal(read(token, nowMs + 900_000), 'AGENT_TOKEN_EXPIRED');
});

test('never extends a token beyond its lifetime, for any fraction of a second at signing', () => {
  const claims = verifyAgentToken(keys, scope, signAgentToken(keys, scope, subject, nowMs + 999, 900), nowMs);
  assert.ok(!isRefusal(claims));
  assert.equal(claims.expiresAtMs, nowMs + 900_000);
});

test('rejects a token for another gateway or of another issuer, even an expired one', () => {
  assert.equal(read(token, nowMs, { ...scope, audience: 'https://gateway.example/' }), 'UNAUTHENTICATED');
  assert.equal(read(token, nowMs + 900_000, { ...scope, issuer: 'https://other.example' }), 'UNAUTHENTICATED');
});

test('accepts the previous key after a rotation, and rejects it once it is withdrawn', () => {
  const next = createPlatformKey(wrappingKey);
  const rotated = openPlatformKeys(wrappingKey, next, [stored]);
  assert.ok(!isRefusal(verifyAgentToken(rotated, scope, token, nowMs)));
  assert.ok(!isRefusal(verifyAgentToken(rotated, scope, signAgentToken(rotated, scope, subject, nowMs, 900), nowMs)));
  const withdrawn = verifyAgentToken(openPlatformKeys(wrappingKey, next, []), scope, token, nowMs);
  assert.ok(isRefusal(withdrawn));
  assert.equal(withdrawn.refused, 'UNAUTHENTICATED');
});

const [head = '', body = '', signature = ''] = token.split('.');
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const header = { alg: 'EdDSA', typ: 'svc-agent+jwt', kid: stored.kid };
const stranger = openPlatformKeys(wrappingKey, createPlatformKey(wrappingKey), []);
const payload = JSON.parse(Buffer.from(body, 'base64url').toString());
const hmac = (signed: string): string => {
  const mac = createHmac('sha256', Buffer.from(stored.public_key, 'base64')).update(signed).digest();
  return `${signed}.${Buffer.concat([mac, mac]).toString('base64url')}`;
};

const forged: readonly (readonly [string, string])[] = [
  ['signed by another key under our key id', signCompactJws(encodeHeader(header.typ, stored.kid), payload, stranger.signing.privateKey)],
  ['signed by another platform', signAgentToken(stranger, scope, subject, nowMs, 900)],
  ['with a claim changed', `${head}.${encode({ ...payload, sub: 'agt_01BX5ZZKBKACTAV9WEVGEMMVRZ' })}.${signature}`],
  ['with alg none', `${encode({ ...header, alg: 'none' })}.${body}.`],
  ['with alg none and a signature', `${encode({ ...header, alg: 'none' })}.${body}.${signature}`],
  ['with HS256 keyed by the public key', hmac(`${encode({ ...header, alg: 'HS256' })}.${body}`)],
  ['with a MAC for a signature', hmac(`${head}.${body}`)],
  ['of another type by our key', signCompactJws(encodeHeader('svc-passport+jws', stored.kid), payload, keys.signing.privateKey)],
  ['with one more header member', signCompactJws(encode({ ...header, crit: [] }), payload, keys.signing.privateKey)],
  ['without its signature', `${head}.${body}.`],
  ['with junk after it', `${token}A`],
  ['that is empty', ''],
  ['that is a session secret', 'svc_ses_0000000000000000000000000000000000000000000000000'],
  ['that is huge', `${head}.${'A'.repeat(1_000_000)}.${signature}`],
];
for (const [what, text] of forged) test(`rejects a token ${what}`, () => assert.equal(read(text), 'UNAUTHENTICATED'));
