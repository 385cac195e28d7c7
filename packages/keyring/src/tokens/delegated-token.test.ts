import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateSigningKey } from '../public-keys/generate-key-pair.ts';
import type { PlatformKeys } from '../sealed/platform-key.ts';
import { signAgentToken, verifyAgentToken } from './agent-token.ts';
import { type DelegatedClaims, signDelegatedToken, verifyDelegatedToken } from './delegated-token.ts';

const { publicKey, privateKey } = generateSigningKey();
const keys = { signing: { kid: 'k1', privateKey }, accepted: new Map([['k1', publicKey]]) } as unknown as PlatformKeys;
const GATEWAY = 'https://gateway.example';
const scope = { issuer: GATEWAY, audience: GATEWAY };
const claims: DelegatedClaims = {
  ...{ iss: GATEWAY, aud: 'https://ledger.example', sub: 'svc_usr_1', client_id: 'svc_agt_1', iat: 1_000, exp: 1_900, jti: 'j' },
  ...{ scope: 'pay', org: 'svc_org_1', env: 'svc_env_1', gen: 1, ser: 1, sid: 'svc_ses_1' },
};

test('reads a token as signed until it expires', () => {
  const token = signDelegatedToken(keys, claims);
  assert.deepEqual(verifyDelegatedToken(keys, token, 1_899_999), claims);
  assert.equal(verifyDelegatedToken(keys, token, 1_900_000), null);
  assert.equal(verifyDelegatedToken({ ...keys, accepted: new Map() }, token, 1_000_000), null);
});

test('keeps agent tokens and exchanged tokens apart, even for the gateway itself', () => {
  const members = { ...claims, aud: GATEWAY, sub: 'svc_agt_1', jti: 'svc_ses_1' };
  const read = verifyAgentToken(keys, scope, signDelegatedToken(keys, members), 1_000_000);
  assert.equal('refused' in read && read.refused, 'UNAUTHENTICATED');
  const subject = { agent_id: 'a', session_id: 's', organization_id: 'o', environment_id: 'e', key_generation: 1, session_series: 1 };
  const agentToken = signAgentToken(keys, scope, { ...subject, sdk_name: null, resource: null, jkt: null, context: null }, 1_000_000, 900);
  assert.equal(verifyDelegatedToken(keys, agentToken, 1_000_000), null);
});
