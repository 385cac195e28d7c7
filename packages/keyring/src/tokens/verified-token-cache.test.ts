import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { createPlatformKey, openPlatformKeys } from '../sealed/platform-key.ts';
import { type AgentTokenSubject, signAgentToken } from './agent-token.ts';
import { newAgentTokenReader } from './verified-token-cache.ts';

const wrappingKey = createSecretKey(randomBytes(32));
const stored = createPlatformKey(wrappingKey);
const keys = openPlatformKeys(wrappingKey, stored, []);
const scope = { issuer: 'https://control.example', audience: 'https://gateway.example' };
const nowMs = Date.UTC(2026, 0, 31, 10);
const getSubject = (session: string): AgentTokenSubject => ({
  agent_id: 'agt_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  session_id: session,
  organization_id: 'org_1',
  environment_id: 'env_1',
  key_generation: 1,
  session_series: 1,
  sdk_name: null,
  resource: null,
  jkt: null,
  context: null,
});
const getToken = (session: string): string => signAgentToken(keys, scope, getSubject(session), nowMs, 900);
const getCode = (answer: object): string => (isRefusal(answer) ? answer.refused : 'accepted');

test('returns the same claims for a cached token without verifying it again', () => {
  const reader = newAgentTokenReader(scope);
  const token = getToken('ses_1');
  const first = reader.read(keys, token, nowMs);
  assert.equal(getCode(first), 'accepted');
  assert.equal(reader.read(keys, token, nowMs + 1), first);
});

test('expires a cached token at its second, and evicts it then', () => {
  const reader = newAgentTokenReader(scope);
  const token = getToken('ses_1');
  reader.read(keys, token, nowMs);
  assert.equal(getCode(reader.read(keys, token, nowMs + 899_999)), 'accepted');
  assert.equal(getCode(reader.read(keys, token, nowMs + 900_000)), 'AGENT_TOKEN_EXPIRED');
  assert.equal(reader.remembered(), 0);
});

test('rejects a cached token once the key that signed it is withdrawn', () => {
  const reader = newAgentTokenReader(scope);
  const token = getToken('ses_1');
  reader.read(keys, token, nowMs);
  const next = createPlatformKey(wrappingKey);
  assert.equal(getCode(reader.read(openPlatformKeys(wrappingKey, next, [stored]), token, nowMs)), 'accepted');
  assert.equal(getCode(reader.read(openPlatformKeys(wrappingKey, next, []), token, nowMs)), 'UNAUTHENTICATED');
});

test('treats a changed encoding of a cached token as another token', () => {
  const reader = newAgentTokenReader(scope);
  const token = getToken('ses_1');
  reader.read(keys, token, nowMs);
  for (const text of [`${token} `, ` ${token}`, `${token}=`, token.slice(0, -1), token.toUpperCase()]) {
    assert.equal(getCode(reader.read(keys, text, nowMs)), 'UNAUTHENTICATED');
  }
});

test('never caches forgeries, however many arrive', () => {
  const reader = newAgentTokenReader(scope);
  const token = getToken('ses_1');
  for (let n = 0; n < 200; n += 1) reader.read(keys, `${token.slice(0, -4)}${String(n).padStart(4, '0')}`, nowMs);
  assert.equal(reader.remembered(), 0);
});

test('caches no more than the bound, and evicts the least recently used first', () => {
  const reader = newAgentTokenReader(scope, 2);
  const [a, b, c] = [getToken('ses_a'), getToken('ses_b'), getToken('ses_c')];
  const [firstA, firstB] = [reader.read(keys, a, nowMs), reader.read(keys, b, nowMs)];
  assert.equal(reader.read(keys, a, nowMs), firstA);
  reader.read(keys, c, nowMs);
  assert.equal(reader.remembered(), 2);
  assert.equal(reader.read(keys, a, nowMs), firstA, 'used since, so kept');
  assert.notEqual(reader.read(keys, b, nowMs), firstB, 'forgotten, so verified afresh');
});
