import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { OAUTH_PATHS } from '@svc/contract/agents/oauth.ts';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { RISK_LIMITS } from '@svc/contract/tables/limits/risk-limits.ts';
import { Governance } from '@svc/sdk/governance.ts';
import { mintToken, newAgent, readAudience, SDK, signAssertion, signClientAssertion } from '@svc/testing/agents/agent.ts';
import { call } from '@svc/testing/people/client.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { type FlowScene, getCode, newFlowScene, reason } from './flow-scene.fixture.ts';

let planes: Planes;
before(async () => {
  planes = await startPlanes({ gateways: 2 });
});
after(() => planes.stop());

const ANN = { customer: 'ann@example.com' };
const EVE = { to: 'eve@evil.test' };

const setScope = async ({ owner, tenant }: FlowScene, context_scope: 'AGENT' | 'CONTEXT'): Promise<void> => {
  const set = await owner('PUT', `/v1/environments/${tenant.environment_id}/risk-settings`, { context_scope, reason });
  assert.equal(set.status, 200, set.text);
};

/** Creates an agent with separate contexts, and a function that acts in one. */
const newApart = async () => {
  const scene = await newFlowScene(planes);
  await setScope(scene, 'CONTEXT');
  const tokens = new Map<string | undefined, Promise<string>>();
  const mintContextToken = (context?: string): Promise<string> => {
    const token = tokens.get(context) ?? mintToken(planes.gatewayUrl, scene.agent, 1, context);
    tokens.set(context, token);
    return token;
  };
  const inContext = async (context: string | undefined, tool: string, parameters: object, gateway = 0, more = {}) =>
    scene.ask(tool, parameters, gateway, more, await mintContextToken(context));
  return { ...scene, mintContextToken, inContext };
};

const exchange = (agent: FlowScene['agent'], assertion: string) =>
  call(planes.gatewayUrl, 'POST', '/gateway/v1/token', { body: { agent_id: agent.id, assertion, sdk: SDK } });

test('labels read in one context count there on every gateway and in no other context', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { inContext, agent } = await newApart();
    assert.equal(await getCode(inContext('ann', 'mail.send', EVE, 1)), 'ALLOWED');
    assert.equal(await getCode(inContext('ann', 'crm.read', ANN, 0)), 'ALLOWED');
    assert.equal(await getCode(inContext('ann', 'mail.send', EVE, 1)), 'APPROVAL_REQUIRED');
    assert.equal(await getCode(inContext('bob', 'mail.send', EVE, 1)), 'ALLOWED');
    assert.equal(await getCode(inContext(undefined, 'mail.send', EVE, 0)), 'ALLOWED');
    // A new token with the same claim continues the context.
    const again = await mintToken(planes.gatewayUrls[1] ?? '', agent, 1, 'ann');
    const sent = await call(planes.gatewayUrl, 'POST', '/gateway/v1/actions', {
      token: again,
      body: { tool: 'mail.send', parameters: EVE },
    });
    assert.equal(sent.json.error?.code, 'APPROVAL_REQUIRED', sent.text);
  }
});

test('of concurrent reads and sends of one context over two gateways, no later send is allowed', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { inContext, mintContextToken } = await newApart();
    await Promise.all(['one', 'two'].map(mintContextToken));
    const reads = await Promise.all(
      ['one', 'two', 'one', 'two'].map((context, index) => getCode(inContext(context, 'vault.read', {}, index % 2))),
    );
    assert.deepEqual(new Set(reads), new Set(['ALLOWED']));
    const sends = await Promise.all(
      ['one', 'two', 'one', 'two'].map((context, index) => getCode(inContext(context, 'mail.send', EVE, (index + 1) % 2))),
    );
    assert.deepEqual(new Set(sends), new Set(['ACTION_BLOCKED']));
  }
});

test('the contexts of a PRODUCTION environment count together by default, and only a person with a step-up separates them', async () => {
  const scene = await newFlowScene(planes);
  const { tenant, owner } = scene;
  const body = { name: 'Live', workspace_id: tenant.workspace_id, type: 'PRODUCTION' };
  const live = (await owner('POST', '/v1/environments', body)).json.id;
  const path = `/v1/environments/${live}/risk-settings`;
  assert.equal((await owner('GET', path)).json.context_scope, 'AGENT');
  const key = (await owner('POST', '/v1/api-keys', { name: 'Key', role_id: getBuiltInRole('admin').id })).json.token;
  const refused = await call(planes.controlUrl, 'PUT', path, { token: key, body: { context_scope: 'CONTEXT', reason } });
  assert.equal(refused.json.error?.code, 'STEP_UP_REQUIRED', refused.text);
  const readScope = async () => (await owner('GET', '/v1/environments')).json.find(({ id }: { id: string }) => id === live)?.context_scope;
  assert.equal(await readScope(), 'AGENT');
  assert.equal((await owner('PUT', path, { context_scope: 'CONTEXT', reason })).json.context_scope, 'CONTEXT');
  assert.equal(await readScope(), 'CONTEXT');
  const events = (await owner('GET', '/v1/audit-events?type=risk.configuration_updated')).json.data;
  assert.ok(events.some(({ data }: { data: { reason: string } }) => data.reason === reason));
});

test('if an agent has one context, a clean context does not exist, and reads from before the contexts were separated count in all of them', async () => {
  const scene = await newApart();
  await setScope(scene, 'AGENT');
  const { inContext, owner, agent } = scene;
  assert.equal(await getCode(inContext('ann', 'crm.read', ANN, 0)), 'ALLOWED');
  assert.equal(await getCode(inContext('clean', 'mail.send', EVE, 1)), 'APPROVAL_REQUIRED');
  await setScope(scene, 'CONTEXT');
  assert.equal(await getCode(inContext('cleaner', 'mail.send', EVE, 0)), 'APPROVAL_REQUIRED');
  const [context] = (await owner('GET', `/v1/agents/${agent.id}/contexts`)).json;
  assert.deepEqual([context.name, context.scope, context.labels], [null, 'AGENT', ['personal_data']]);
});

test('labels of all contexts count from the moment at which the contexts of an agent count together', async () => {
  const scene = await newApart();
  const { inContext } = scene;
  await inContext('ann', 'crm.read', ANN);
  await inContext('vault', 'vault.read', {});
  assert.equal(await getCode(inContext('clean', 'mail.send', EVE, 1)), 'ALLOWED');
  await setScope(scene, 'AGENT');
  assert.equal(await getCode(inContext('clean', 'mail.send', EVE, 1)), 'ACTION_BLOCKED');
  assert.equal(await getCode(inContext('vault', 'mail.send', EVE, 0)), 'ACTION_BLOCKED');
});

test('a person who requests for the agent gets the labels of all its contexts', async () => {
  const { inContext, owner, agent } = await newApart();
  await inContext('vault', 'vault.read', {});
  const evaluated = await owner('POST', '/v1/actions/evaluate', { agent_id: agent.id, tool: 'mail.send', parameters: EVE });
  assert.equal(evaluated.json.decision, 'BLOCK', evaluated.text);
});

test('an assertion is refused again with another context, and with one that its key did not sign', async () => {
  const { agent } = await newApart();
  const audience = await readAudience(planes.gatewayUrl);
  const nonce = 'N'.repeat(32);
  const first = signAssertion(agent, audience, { payload: { context: 'one', nonce } });
  assert.equal((await exchange(agent, first)).status, 200);
  const second = await exchange(agent, signAssertion(agent, audience, { payload: { context: 'two', nonce } }));
  assert.equal(second.json.error?.code, 'NONCE_REPLAYED', second.text);
  const [header, payload = '', signature] = signAssertion(agent, audience, { payload: { context: 'one' } }).split('.');
  const changed = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), context: 'two' };
  const forged = [header, Buffer.from(JSON.stringify(changed)).toString('base64url'), signature].join('.');
  assert.equal((await exchange(agent, forged)).json.error?.code, 'AGENT_AUTHENTICATION_FAILED');
});

test('a malformed context name is refused with a sentence', async () => {
  const { agent } = await newApart();
  const audience = await readAudience(planes.gatewayUrl);
  for (const context of ['', '*', 'a b', 'x'.repeat(65), 'ä', 'a/b', 'a\n', '../up', 7, null, ['a']]) {
    const refused = await exchange(agent, signAssertion(agent, audience, { payload: { context } }));
    assert.equal(refused.json.error?.code, 'AGENT_AUTHENTICATION_FAILED', JSON.stringify(context));
    assert.match(refused.json.error?.details?.fault, /^context must be /, JSON.stringify(context));
  }
  assert.equal((await exchange(agent, signAssertion(agent, audience, { payload: { context: `A.z_0:-${'x'.repeat(57)}` } }))).status, 200);
});

test('an OAuth token is for the context that its client assertion names', async () => {
  const { agent, inContext } = await newApart();
  await inContext('ann', 'crm.read', ANN);
  const metadata = await call(planes.gatewayUrl, 'GET', '/.well-known/oauth-authorization-server');
  const exchangeClient = async (context: string) => {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: signClientAssertion(agent, metadata.json.issuer, { payload: { context } }),
    });
    const answer = await fetch(`${planes.gatewayUrl}${OAUTH_PATHS.token}`, { method: 'POST', body: form });
    return { status: answer.status, ...((await answer.json()) as { access_token?: string; error_description?: string }) };
  };
  const send = async (context: string): Promise<string> => {
    const { access_token = '' } = await exchangeClient(context);
    const body = { tool: 'mail.send', parameters: EVE };
    return getCode(call(planes.gatewayUrl, 'POST', '/gateway/v1/actions', { token: access_token, body }));
  };
  assert.equal(await send('ann'), 'APPROVAL_REQUIRED');
  assert.equal(await send('bob'), 'ALLOWED');
  assert.equal((await exchangeClient('*')).status, 401);
});

test('clients that withContext returns have tokens of their own, each in its context', async () => {
  const { agent } = await newApart();
  const privateKey = agent.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  const client = new Governance({ gatewayUrl: planes.gatewayUrl, agentId: agent.id, privateKey });
  const [ann, clean] = [client.withContext('ann'), client.withContext()];
  const other = new Governance({ gatewayUrl: planes.gatewayUrls[1] ?? '', agentId: agent.id, privateKey });
  const options = { allowNotExecuted: true };
  await ann.act('crm.read', { parameters: ANN, ...options });
  const send = (one: Governance) => one.act('mail.send', { parameters: EVE, ...options });
  await assert.rejects(send(ann), { code: 'APPROVAL_REQUIRED' });
  await assert.rejects(send(other.withContext('ann')), { code: 'APPROVAL_REQUIRED' });
  for (const free of [clean, client, other.withContext('bob')]) assert.equal((await send(free)).decision, 'ALLOW');
  // A session that ends leaves the others.
  await ann.logout();
  assert.equal((await send(clean)).decision, 'ALLOW');
});

test('a context belongs to one agent: the same name of another agent or tenant is another context, and no one else reads or clears it', async () => {
  const [one, other] = [await newApart(), await newApart()];
  await one.inContext('shared', 'vault.read', {});
  assert.equal(await getCode(other.inContext('shared', 'mail.send', EVE)), 'ALLOWED');
  const second = await newAgent(one.tenant, { capabilities: ['pay'] });
  assert.deepEqual((await one.owner('GET', `/v1/agents/${second.id}/contexts`)).json, []);
  const [context] = (await one.owner('GET', `/v1/agents/${one.agent.id}/contexts`)).json;
  assert.deepEqual([context.name, context.scope], ['shared', 'CONTEXT']);
  const clear = { labels: ['personal_data'], reason };
  for (const [owner, agentId] of [
    [one.owner, second.id],
    [other.owner, one.agent.id],
    [other.owner, other.agent.id],
  ] as const) {
    const refused = await owner('POST', `/v1/agents/${agentId}/contexts/${context.id}/declassify`, clear);
    assert.equal(refused.status, 404, refused.text);
  }
  assert.equal((await other.owner('GET', `/v1/agents/${one.agent.id}/contexts`)).status, 404);
});

test('an approval that was requested in a clean context is void in one with labels, and stays usable in its own', async () => {
  const { inContext, owner } = await newApart();
  await inContext('ann', 'crm.read', ANN);
  const { approval_id } = (await inContext('ann', 'mail.send', EVE)).json.error.details;
  assert.equal((await owner('POST', `/v1/approvals/${approval_id}/approve`, {})).status, 200);
  await inContext('other', 'crm.read', { customer: 'bob@example.com' });
  await inContext('other', 'vault.read', {});
  const used = await inContext('other', 'mail.send', EVE, 1, { approval_id });
  assert.notEqual(used.status, 200, used.text);
  assert.equal((await owner('GET', `/v1/approvals/${approval_id}`)).json.status, 'APPROVED');
  assert.equal((await inContext('ann', 'mail.send', EVE, 1, { approval_id })).status, 200);
});

const fill = async ({ agent, tenant }: FlowScene, count: number, labels: string): Promise<void> => {
  const client = await planes.database.client();
  await client.query(
    `insert into agent_contexts (organization_id, agent_id, id, name, workspace_id, environment_id, labels, started_at, last_used_at)
     select $1, $2, 'ctx_' || $6 || '_' || $2 || i, $6 || ':' || i, $3, $4, $5, now() - interval '1 hour', now() - interval '1 hour'
       from generate_series(1, $7::int) i`,
    [tenant.organization_id, agent.id, tenant.workspace_id, tenant.environment_id, labels, labels === '{}' ? 'plain' : 'labelled', count],
  );
  await client.end();
};

test('an agent at its limit of contexts is refused another one, keeps every label, and continues in its existing ones', async () => {
  const scene = await newApart();
  const { inContext, owner, agent } = scene;
  const max = RISK_LIMITS.contextsPerAgentMax;
  await fill(scene, max - 1, '{secret}');
  await fill(scene, 1, '{}');
  // A context without labels is replaced by a new one.
  assert.equal(await getCode(inContext('first', 'crm.read', ANN)), 'ALLOWED');
  const refused = await inContext('second', 'crm.read', ANN, 1);
  assert.deepEqual([refused.status, refused.json.error?.code], [429, 'RATE_LIMITED'], refused.text);
  assert.match(refused.json.error.message, /maximum number of flow contexts/);
  assert.equal(await getCode(inContext('first', 'vault.read', {}, 1)), 'ALLOWED');
  assert.equal(await getCode(inContext('second', 'mail.send', EVE)), 'ALLOWED');
  assert.equal(await getCode(inContext('labelled:7', 'mail.send', EVE, 1)), 'ACTION_BLOCKED');
  const contexts = (await owner('GET', `/v1/agents/${agent.id}/contexts`)).json;
  assert.equal(contexts.length, max);
  assert.ok(contexts.every(({ labels }: { labels: string[] }) => labels.length > 0));
  assert.equal((await owner('GET', `/v1/agents/${agent.id}/contexts?limit=5&offset=2`)).json.length, 5);
  await setScope(scene, 'AGENT');
  assert.equal(await getCode(inContext('second', 'crm.read', ANN)), 'ALLOWED');
  assert.equal(await getCode(inContext('second', 'mail.send', EVE, 1)), 'ACTION_BLOCKED');
});
