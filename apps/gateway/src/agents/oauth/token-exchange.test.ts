import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { mintToken, newAgent, readAudience, signClientAssertion } from '@svc/testing/agents/agent.ts';
import { type Delegating, newDelegating } from '@svc/testing/agents/delegating.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { newTenant } from '@svc/testing/people/tenant.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { createRemoteJWKSet, exportJWK, importJWK, jwtVerify } from 'jose';
import {
  allowInsecureRequests,
  discoveryRequest,
  genericTokenEndpointRequest,
  PrivateKeyJwt,
  processDiscoveryResponse,
  processGenericTokenEndpointResponse,
} from 'oauth4webapi';

let planes: Planes;
let issuer: string;
before(async () => {
  planes = await leasePlanes();
  issuer = await readAudience(planes.gatewayUrl);
});
after(() => planes.stop());

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const DELEGATION = 'urn:svc:token-type:delegation';
const ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const LEDGER = 'https://ledger.example/api';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

type Form = Readonly<Record<string, string>>;

const request = (form: Form): Promise<TestResponse> =>
  call(planes.gatewayUrl, 'POST', '/gateway/v1/oauth/token', {
    raw: new URLSearchParams({ grant_type: EXCHANGE, resource: LEDGER, ...form }).toString(),
    headers: FORM,
  });

const ofDelegation = (subject_token: string, actor_token: string): Form => ({
  subject_token,
  subject_token_type: DELEGATION,
  actor_token,
  actor_token_type: ACCESS_TOKEN,
});

const ofAgent = (subject_token: string): Form => ({ subject_token, subject_token_type: ACCESS_TOKEN });

const introspect = (token: string, session: string): Promise<TestResponse> =>
  call(planes.controlUrl, 'POST', '/v1/oauth/introspect', {
    token: session,
    raw: new URLSearchParams({ token }).toString(),
    headers: FORM,
  });

const keys = () => createRemoteJWKSet(new URL(`${issuer}/gateway/v1/oauth/jwks`));
const readClaims = async (token: string, audience = LEDGER) =>
  (await jwtVerify(token, keys(), { issuer, audience, typ: 'at+jwt', algorithms: ['EdDSA'] })).payload;

const readAgent = (own: Delegating, at: number) => {
  const agent = own.agents[at];
  assert.ok(agent);
  return agent;
};

/** A chain from the owner over the first agent to the second. */
const newChain = async (rootBounds: object = {}, childBounds: object = {}) => {
  const own = await newDelegating(planes, 3);
  const root = await own.root(0, rootBounds);
  const child = await own.child(0, 1, root, childBounds);
  const [first, second] = [readAgent(own, 0), readAgent(own, 1)];
  return { own, root, child, first, second, form: ofDelegation(child, second.token) };
};

describe('issueOauthToken: an exchange', () => {
  test('states the person, the nested agents and the capabilities that the chain leaves, and verifies under the published keys', async () => {
    const { own, child, first, second, form } = await newChain(
      { scope: { capabilities: ['pay', 'read'] } },
      { scope: { capabilities: ['pay'] } },
    );
    const { status, json, text } = await request(form);
    assert.deepEqual([status, json.issued_token_type, json.token_type, json.scope], [200, ACCESS_TOKEN, 'Bearer', 'pay'], text);
    const { sub, act, scope, client_id, del, exp, iat } = await readClaims(json.access_token);
    assert.deepEqual([sub, scope, client_id, del], [own.tenant.user.id, 'pay', second.id, child]);
    assert.deepEqual(act, { sub: second.id, act: { sub: first.id } });
    assert.equal(json.expires_in, Number(exp) - Number(iat));
    await assert.rejects(readClaims(json.access_token, 'https://other.example'));
  });

  test('without a delegation states the agent itself, and with its only root delegation the person', async () => {
    const own = await newDelegating(planes, 1);
    const agent = readAgent(own, 0);
    const alone = await readClaims((await request(ofAgent(agent.token))).json.access_token);
    assert.deepEqual([alone.sub, alone.act, alone.scope], [agent.id, undefined, 'pay read write']);
    await own.root(0, { scope: { capabilities: ['read'] } });
    const delegated = await readClaims((await request(ofAgent(agent.token))).json.access_token);
    assert.deepEqual([delegated.sub, delegated.act, delegated.scope], [own.tenant.user.id, { sub: agent.id }, 'read']);
    await own.root(0);
    const several = await request(ofAgent(agent.token));
    assert.deepEqual([several.json.error, /Name one/.test(several.json.error_description)], ['invalid_grant', true]);
  });

  test('states tools and ceilings of the chain, which a scope cannot express', async () => {
    const ceiling = { max_amount: 5_000, currency: 'USD' };
    const { form, root } = await newChain({ ceiling, scope: { tools: ['pay'] } });
    const { authorization_details: details } = await readClaims((await request(form)).json.access_token);
    const [{ type, tools, ceilings } = {} as never] = details as { type: string; tools: string[]; ceilings: { delegation_id: string }[] }[];
    assert.deepEqual([type, tools, ceilings?.[0]?.delegation_id], ['urn:svc:authority', ['pay'], root]);
  });

  test('ends with the chain, never after it', async () => {
    const expires_at = new Date(Date.now() + 100_000).toISOString();
    const { form } = await newChain({ expires_at });
    const { json } = await request(form);
    const { exp } = await readClaims(json.access_token);
    assert.ok(Number(exp) * 1000 <= Date.parse(expires_at), `${exp}`);
    assert.ok(json.expires_in > 60, json.expires_in);
  });

  test('works with a stock client that signs in with private_key_jwt', async () => {
    const { child, second } = await newChain();
    const insecure = { [allowInsecureRequests]: true };
    const server = await processDiscoveryResponse(
      new URL(issuer),
      await discoveryRequest(new URL(issuer), { algorithm: 'oauth2', ...insecure }),
    );
    assert.ok(server.grant_types_supported?.includes(EXCHANGE));
    const key = (await importJWK({ ...(await exportJWK(second.privateKey)), alg: 'EdDSA' }, 'EdDSA')) as CryptoKey;
    const client = { client_id: second.id };
    const form = { subject_token: child, subject_token_type: DELEGATION, resource: LEDGER };
    const answer = await genericTokenEndpointRequest(server, client, PrivateKeyJwt(key), EXCHANGE, form, insecure);
    const { access_token, expires_in } = await processGenericTokenEndpointResponse(server, client, answer);
    assert.ok(Number(expires_in) > 0);
    assert.equal((await readClaims(access_token)).client_id, second.id);
  });
});

test('an exchanged token opens no endpoint of a gateway, and an agent token passes for no exchanged one', async () => {
  const { own, form, second } = await newChain();
  const { access_token: token } = (await request(form)).json;
  for (const path of ['/gateway/v1/actions', '/gateway/v1/delegations', '/gateway/v1/mcp', '/gateway/v1/logout'])
    for (const url of planes.gatewayUrls) assert.equal((await call(url, 'POST', path, { token, body: {} })).status, 401, path);
  assert.equal((await call(planes.controlUrl, 'GET', '/v1/agents', { token })).status, 401);
  const again = await request(ofDelegation(form.subject_token ?? '', token));
  assert.equal(again.json.error, 'invalid_request', again.text);
  await assert.rejects(jwtVerify(second.token, keys(), { issuer, typ: 'at+jwt' }));
  assert.deepEqual((await introspect(second.token, own.tenant.token)).json, { active: false });
});

describe('issueOauthToken: an exchange is refused', () => {
  let chain: Awaited<ReturnType<typeof newChain>>;
  before(async () => {
    chain = await newChain({ scope: { capabilities: ['pay', 'read'], destinations: ['ledger.example'] } });
  });
  const cases: readonly (readonly [string, () => Form | Promise<Form>, string])[] = [
    ['for a capability outside the chain', () => ({ ...chain.form, scope: 'pay write' }), 'invalid_scope'],
    ['for a service outside the destinations of the chain', () => ({ ...chain.form, resource: 'https://evil.example/' }), 'invalid_target'],
    ['for another port of the service', () => ({ ...chain.form, resource: 'ftp://ledger.example/' }), 'invalid_target'],
    ['for a host hidden behind a user name', () => ({ ...chain.form, resource: 'https://ledger.example@evil.example/' }), 'invalid_target'],
    ['for an address with a fragment', () => ({ ...chain.form, resource: `${LEDGER}#x` }), 'invalid_target'],
    ['for a name, where the chain has destinations', () => ({ ...chain.form, resource: '', audience: 'ledger' }), 'invalid_target'],
    ['for this gateway', () => ({ ...chain.form, resource: `${issuer}/gateway/v1/mcp` }), 'invalid_target'],
    ['for this gateway as an audience', () => ({ ...chain.form, resource: '', audience: issuer }), 'invalid_target'],
    ['for no service', () => ({ ...chain.form, resource: '' }), 'invalid_request'],
    ['for two services', () => ({ ...chain.form, audience: 'ledger' }), 'invalid_request'],
    ['for the delegation of another agent', () => ({ ...chain.form, subject_token: chain.root }), 'invalid_grant'],
    ['for a delegation that does not exist', () => ({ ...chain.form, subject_token: 'svc_del_0' }), 'invalid_grant'],
    ['with a token of another agent as subject', () => ({ ...chain.form, ...ofAgent(chain.first.token) }), 'invalid_grant'],
    ['without an actor', () => ({ subject_token: chain.child, subject_token_type: DELEGATION }), 'invalid_client'],
    ['with a text as actor', () => ({ ...chain.form, actor_token: 'x' }), 'invalid_request'],
    ['with an actor without a type', () => ({ ...chain.form, actor_token_type: '' }), 'invalid_request'],
    ['with another type of subject', () => ({ ...chain.form, subject_token_type: `${DELEGATION}s` }), 'invalid_request'],
    [
      'for another type of token',
      () => ({ ...chain.form, requested_token_type: 'urn:ietf:params:oauth:token-type:saml2' }),
      'invalid_request',
    ],
    [
      'with the assertion of another agent',
      () => ({ ...chain.form, client_assertion_type: ASSERTION, client_assertion: signClientAssertion(chain.first, issuer) }),
      'invalid_grant',
    ],
    [
      'with a token for one endpoint',
      async () => {
        const form = { grant_type: 'client_credentials', client_assertion_type: ASSERTION, resource: `${issuer}/gateway/v1/mcp` };
        const { json } = await request({ ...form, client_assertion: signClientAssertion(chain.second, issuer) });
        return { ...chain.form, actor_token: json.access_token };
      },
      'invalid_request',
    ],
  ];
  for (const [name, form, word] of cases)
    test(name, async () => {
      const { status, json, text } = await request(await form());
      assert.deepEqual([status === 400 || status === 401, json?.error, json?.access_token], [true, word, undefined], text);
    });

  test('with the delegation of another organization', async () => {
    const other = await newChain();
    const { json } = await request(ofDelegation(other.child, chain.second.token));
    assert.equal(json.error, 'invalid_grant');
  });
});

describe('introspectToken', () => {
  test('returns the claims of an active token to its organization only, also to an API key', async () => {
    const { own, child, second, form } = await newChain();
    const { access_token: token } = (await request(form)).json;
    const { status, json, text } = await introspect(token, own.tenant.token);
    assert.equal(status, 200, text);
    const { exp, act } = await readClaims(token);
    assert.deepEqual(
      [json.active, json.sub, json.client_id, json.delegation_id, json.exp, json.act, json.aud],
      [true, own.tenant.user.id, second.id, child, exp, act, LEDGER],
    );
    const key = (await own.owner('POST', '/v1/api-keys', { name: 'ledger', role_id: getBuiltInRole('viewer').id })).json;
    assert.equal((await introspect(token, key.token)).json.active, true);
    const stranger = await newTenant(planes);
    assert.deepEqual((await introspect(token, stranger.token)).json, { active: false });
    assert.equal((await introspect(token, 'x')).status, 401);
  });

  test('answers inactive for any other text', async () => {
    const own = await newDelegating(planes, 1);
    const { access_token: token } = (await request(ofAgent(readAgent(own, 0).token))).json;
    const altered = `${token.slice(0, -8)}AAAAAAAA`;
    for (const text of ['x', 'a.b.c', altered, own.tenant.token])
      assert.deepEqual((await introspect(text, own.tenant.token)).json, { active: false });
    const long = await introspect('x'.repeat(9_000), own.tenant.token);
    assert.deepEqual([long.status, long.json.error], [400, 'invalid_request']);
  });

  const ends: readonly (readonly [string, (chain: Awaited<ReturnType<typeof newChain>>) => Promise<unknown>])[] = [
    ['its delegation is revoked', ({ own, child }) => own.owner('POST', `/v1/delegations/${child}/revoke`, { reason: 'test' })],
    ['the first delegation is revoked', ({ own, root }) => own.owner('POST', `/v1/delegations/${root}/revoke`, { reason: 'test' })],
    ['its agent is paused', ({ own, second }) => own.owner('POST', `/v1/agents/${second.id}/pause`, {})],
    ['an agent above it is paused', ({ own, first }) => own.owner('POST', `/v1/agents/${first.id}/pause`, {})],
    ['its agent is revoked', ({ own, second }) => own.owner('POST', `/v1/agents/${second.id}/revoke`, { reason: 'test' })],
    ['an agent above it is revoked', ({ own, first }) => own.owner('POST', `/v1/agents/${first.id}/revoke`, { reason: 'test' })],
    [
      'an agent above it has expired',
      ({ own, first }) => own.owner('PATCH', `/v1/agents/${first.id}`, { expires_at: new Date(Date.now() + 300).toISOString() }),
    ],
    ['its session has ended', ({ second }) => call(planes.gatewayUrl, 'POST', '/gateway/v1/logout', { token: second.token, body: {} })],
    [
      'its environment is paused',
      ({ own }) => own.owner('POST', `/v1/environments/${own.tenant.environment_id}/pause`, { reason: 'test' }),
    ],
    [
      'its capabilities are withdrawn',
      async ({ own, second }) => {
        for (const name of ['pay', 'read', 'write']) await own.owner('DELETE', `/v1/agents/${second.id}/capabilities/${name}`);
      },
    ],
  ];
  for (const [name, end] of ends)
    test(`answers inactive once ${name}`, async () => {
      const chain = await newChain();
      const { access_token: token } = (await request(chain.form)).json;
      const ask = async () => (await introspect(token, chain.own.tenant.token)).json.active;
      assert.equal(await ask(), true);
      await end(chain);
      if (name.includes('expired')) await new Promise((resolve) => setTimeout(resolve, 400));
      assert.equal(await ask(), false);
      assert.notEqual((await request(chain.form)).status, 200);
    });

  test('omits a capability that the chain no longer leaves', async () => {
    const { own, second, form } = await newChain();
    const { access_token: token } = (await request(form)).json;
    await own.owner('DELETE', `/v1/agents/${second.id}/capabilities/pay`);
    assert.equal((await introspect(token, own.tenant.token)).json.scope, 'read write');
  });

  test('does not see an agent outside the workspaces of the caller', async () => {
    const { own, form } = await newChain();
    const { access_token: token } = (await request(form)).json;
    const workspace = await own.owner('POST', '/v1/workspaces', { name: 'Other' });
    const body = { name: 'elsewhere', role_id: getBuiltInRole('viewer').id, workspace_id: workspace.json.id };
    const { json } = await own.owner('POST', '/v1/api-keys', body);
    assert.deepEqual((await introspect(token, json.token)).json, { active: false });
  });
});

test('an agent without a session gets no token from a stolen delegation id', async () => {
  const { child, own } = await newChain();
  const other = await newAgent(own.tenant, { capabilities: ['pay'] });
  const answer = await request(ofDelegation(child, await mintToken(planes.gatewayUrl, other)));
  assert.equal(answer.json.error, 'invalid_grant');
});
