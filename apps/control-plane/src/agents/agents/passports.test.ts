import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { after, before, test } from 'node:test';
import { newGoverned } from '@svc/testing/agents/governed.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
before(async () => {
  planes = await leasePlanes();
});
after(() => planes.stop());

test('verifyPassport accepts the current passport of an agent of the organization, and exportPassport returns the key for offline verification', async () => {
  const { owner, agent } = await newGoverned(planes);
  const exported = await owner('POST', `/v1/agents/${agent.id}/passport/export`, { reason: 'For the partner.' });
  assert.equal(exported.status, 200, exported.text);
  const { passport, key } = exported.json;
  const [header, payload, signature] = passport.token.split('.');
  const publicKey = createPublicKey({ key, format: 'jwk' });
  assert.ok(verify(null, Buffer.from(`${header}.${payload}`), publicKey, Buffer.from(signature, 'base64url')));
  const verified = await owner('POST', '/v1/passports/verify', { passport: passport.token });
  assert.deepEqual(
    [verified.status, verified.json.agent_id, verified.json.version, verified.json.status],
    [200, agent.id, passport.version, 'ACTIVE'],
    verified.text,
  );
  const invalid = async (token: string) => (await owner('POST', '/v1/passports/verify', { passport: token })).json.error.code;
  assert.equal(await invalid(`${header}.${payload}.${'A'.repeat(86)}`), 'PASSPORT_INVALID');
  assert.equal(await invalid('nonsense'), 'PASSPORT_INVALID');
  await owner('POST', `/v1/agents/${agent.id}/passport/renew`, {});
  assert.equal(await invalid(passport.token), 'PASSPORT_INVALID', 'a newer version replaced it');
  const other = await newGoverned(planes);
  const current = (await owner('GET', `/v1/agents/${agent.id}/passport`)).json.token;
  assert.equal((await other.owner('POST', '/v1/passports/verify', { passport: current })).json.error.code, 'PASSPORT_INVALID');
  assert.equal((await other.owner('POST', `/v1/agents/${agent.id}/passport/export`, {})).status, 404);
  const events = async (type: string) => (await owner('GET', `/v1/audit-events?type=${type}`)).json.data.length;
  assert.deepEqual([await events('passport.verified'), await events('passport.exported')], [1, 1]);
  await owner('POST', `/v1/agents/${agent.id}/revoke`, { reason: 'test' });
  assert.equal(await invalid(current), 'PASSPORT_INVALID');
  assert.equal((await owner('POST', `/v1/agents/${agent.id}/passport/export`, {})).status, 410);
});
