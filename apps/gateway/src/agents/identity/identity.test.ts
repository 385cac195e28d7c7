import assert from 'node:assert/strict';
import { createPublicKey } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { mintToken, readAudience, SDK, signAssertion, type TestAgent } from '@svc/testing/agents/agent.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
let governed: Governed;
let audience: string;
before(async () => {
  planes = await leasePlanes();
  governed = await newGoverned(planes);
  audience = await readAudience(planes.gatewayUrl);
});
after(() => planes.stop());

const redeem = (assertion: string, agent: TestAgent = governed.agent, path = '/gateway/v1/token'): Promise<TestResponse> =>
  call(planes.gatewayUrl, 'POST', path, { body: { agent_id: agent.id, assertion, sdk: SDK } });

const readSessions = async (agentId: string): Promise<number> => {
  const owner = await planes.database.client();
  const { rows } = await owner.query<{ n: number }>('select count(*)::int as n from agent_sessions where agent_id = $1', [agentId]);
  await owner.end();
  return rows[0]?.n ?? -1;
};

test('getPlatformKey publishes an Ed25519 key, its id and the audience, cacheable for five minutes', async () => {
  const { status, headers, json } = await call(planes.gatewayUrl, 'GET', '/.well-known/svc-platform-key');
  assert.equal(status, 200);
  assert.equal(headers.get('cache-control'), 'public, max-age=300');
  assert.equal(json.audience, planes.gatewayUrl);
  const key = createPublicKey({ key: Buffer.from(json.public_key, 'base64'), format: 'der', type: 'spki' });
  assert.equal(key.asymmetricKeyType, 'ed25519');
  assert.equal(json.keys[0].key_id, json.key_id);
  assert.equal(json.keys[0].jwk.x, key.export({ format: 'jwk' }).x);
});

describe('mintToken', () => {
  test('returns a bearer token of 15 minutes that names the agent, its environment and its organization', async () => {
    const { status, json } = await redeem(signAssertion(governed.agent, audience));
    assert.equal(status, 200);
    const { token, expires_at, ...rest } = json.data;
    assert.match(token, /^[\w-]+\.[\w-]+\.[\w-]+$/);
    assert.match(expires_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.deepEqual(rest, {
      token_type: 'Bearer',
      expires_in: 900,
      agent_id: governed.agent.id,
      environment_id: governed.tenant.environment_id,
      organization_id: governed.tenant.organization_id,
    });
  });

  test('answers an unknown agent, a wrong key, an unknown key and another audience alike, and starts no session', async () => {
    const sessions = await readSessions(governed.agent.id);
    const unknown = { ...governed.agent, id: 'agt_01ARZ3NDEKTSV4RRFFQ69G5FAV' };
    const other = (await newGoverned(planes)).agent;
    const answers = [
      await redeem(signAssertion(unknown, audience), unknown),
      await redeem(signAssertion({ id: governed.agent.id, privateKey: other.privateKey }, audience)),
      await redeem(signAssertion(governed.agent, audience, { header: { kid: `${governed.agent.id}#2` } })),
      await redeem(signAssertion(governed.agent, `${audience}/`)),
    ];
    const texts = answers.map(({ text, json }) => text.replaceAll(json.error.request_id, ''));
    assert.deepEqual(new Set(answers.map((answer) => answer.json.error.code)), new Set(['AGENT_AUTHENTICATION_FAILED']));
    assert.equal(new Set(texts).size, 1);
    assert.equal(answers[0]?.json.error.details, undefined);
    assert.equal(await readSessions(governed.agent.id), sessions);
  });

  test('reports a malformed assertion, whether or not the agent exists', async () => {
    const readFault = async (assertion: string, agent?: TestAgent): Promise<string> => {
      const { status, json } = await redeem(assertion, agent);
      assert.deepEqual([status, json.error.code, Object.keys(json.error.details)], [401, 'AGENT_AUTHENTICATION_FAILED', ['fault']]);
      return json.error.details.fault;
    };
    for (const agent of [governed.agent, { ...governed.agent, id: 'agt_01ARZ3NDEKTSV4RRFFQ69G5FAV' }]) {
      const signed = (change: Parameters<typeof signAssertion>[2]) => signAssertion(agent, audience, change);
      assert.match(await readFault('not.a.jws', agent), /compact JWS/);
      assert.equal(await readFault(signed({ header: { alg: 'none' } }), agent), 'alg must be EdDSA.');
      assert.match(await readFault(signed({ payload: { iat: '2026-02-30T00:00:00.000Z' } }), agent), /^iat must be a UTC time/);
      assert.match(await readFault(signed({ payload: { exp: 1_767_000_000 as never } }), agent), /^exp must be a UTC time/);
      assert.match(await readFault(signed({ payload: { nonce: 'short' } }), agent), /^nonce must be 22 to 128/);
    }
    const other = { ...governed.agent, id: 'agt_01BX5ZZKBKACTAV9WEVGEMMVRZ' };
    assert.match(await readFault(signAssertion(governed.agent, audience), other), /not from the agent in agent_id/);
  });

  test('the audience is compared as an exact string', async () => {
    for (const wrong of [`${audience}/`, audience.replace('127.0.0.1', 'localhost'), audience.toUpperCase(), '']) {
      assert.equal((await redeem(signAssertion(governed.agent, wrong))).json.error.code, 'AGENT_AUTHENTICATION_FAILED', wrong);
    }
  });

  test('returns the server time outside the window, and a refused assertion consumes no nonce', async () => {
    const payload = { nonce: Buffer.alloc(24, 7).toString('base64url') };
    const late = await redeem(signAssertion(governed.agent, audience, { payload, now: Date.now() - 130_000 }));
    assert.equal(late.json.error.code, 'TIMESTAMP_OUT_OF_WINDOW');
    assert.ok(Math.abs(Date.parse(late.json.error.details.server_time) - Date.now()) < 60_000);
    assert.equal((await redeem(signAssertion(governed.agent, audience, { payload }))).status, 200);
    assert.equal((await redeem(signAssertion(governed.agent, audience, { payload }))).json.error.code, 'NONCE_REPLAYED');
  });

  test('reports a stale key, a revoked agent and a paused one only after a genuine signature', async () => {
    const { agent, owner } = await newGoverned(planes);
    assert.equal((await redeem(signAssertion(agent, audience), agent)).status, 200);
    assert.equal((await owner('POST', `/v1/agents/${agent.id}/rotate-credentials`, {})).status, 200);
    assert.equal((await redeem(signAssertion(agent, audience), agent)).json.error.code, 'IDENTITY_GENERATION_STALE');
    assert.equal((await owner('POST', `/v1/agents/${agent.id}/revoke`, { reason: 'test' })).status, 200);
    assert.equal((await redeem(signAssertion(agent, audience), agent)).json.error.code, 'AGENT_IDENTITY_REVOKED');
    const paused = await newGoverned(planes);
    assert.equal((await paused.owner('POST', `/v1/agents/${paused.agent.id}/pause`)).status, 200);
    assert.equal((await redeem(signAssertion(paused.agent, audience), paused.agent)).json.error.code, 'AGENT_NOT_OPERATIONAL');
  });
});

describe('handshake', () => {
  test('returns what the agent may use: mode, capabilities, passport and exactly its authorized tools', async () => {
    const { json } = await redeem(signAssertion(governed.agent, audience), governed.agent, '/gateway/v1/handshake');
    const { mode, capabilities, passport_version, tools, workspace_id } = json.data;
    assert.deepEqual(
      { mode, capabilities, passport_version, workspace_id },
      {
        mode: 'ENFORCE',
        capabilities: ['pay'],
        passport_version: 1,
        workspace_id: governed.tenant.workspace_id,
      },
    );
    assert.deepEqual(
      tools.map((tool: { name: string }) => tool.name),
      ['pay'],
    );
    assert.equal(
      (await call(planes.gatewayUrl, 'POST', '/gateway/v1/actions', { token: json.data.token, body: { tool: 'pay' } })).status,
      200,
    );
  });
});

describe('endAgentSession', () => {
  test('ends this session at once and no other', async () => {
    const first = await mintToken(planes.gatewayUrl, governed.agent);
    const second = await mintToken(planes.gatewayUrl, governed.agent);
    assert.equal((await governed.act({}, { token: first })).status, 200);
    assert.deepEqual((await call(planes.gatewayUrl, 'POST', '/gateway/v1/logout', { token: first })).json, { revoked: true });
    assert.equal((await governed.act({}, { token: first })).json.error.code, 'AGENT_TOKEN_EXPIRED');
    assert.equal((await call(planes.gatewayUrl, 'POST', '/gateway/v1/logout', { token: first })).json.error.code, 'AGENT_TOKEN_EXPIRED');
    assert.equal((await governed.act({}, { token: second })).status, 200);
  });
});
