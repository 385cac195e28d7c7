import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { mintToken, newAgent } from '@svc/testing/agents/agent.ts';
import { activateRules, type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
let governed: Governed;
let key: string;

before(async () => {
  planes = await leasePlanes();
});
after(() => planes.stop());
beforeEach(async () => {
  governed = await newGoverned(planes);
  const { token } = governed.tenant;
  const body = { name: 'automation', role_id: getBuiltInRole('admin').id };
  key = (await newControlClient(planes.controlUrl, token).createApiKey({ body })).token;
});

const byKey = (method: string, path: string, body?: object): Promise<TestResponse> =>
  call(planes.controlUrl, method, path, { token: key, ...(body === undefined ? {} : { body }) });
const byPerson = (method: string, path: string, body?: object): Promise<TestResponse> => governed.owner(method, path, body);
const verdict = ({ status, json }: TestResponse): string => `${status} ${json?.error?.code ?? ''}`.trim();
const ALLOW = { id: 'allow', effect: 'ALLOW', reason: 'Allowed here.' };
const WHY = { reason: 'test' };
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

type Sender = typeof byKey;
type Stop = {
  readonly stop: (by: Sender) => Promise<TestResponse>;
  readonly lift: (by: Sender) => Promise<TestResponse>;
};

/** Stops that a key can make too, each with the request that lifts it. */
const STOPS: Readonly<Record<string, () => Stop>> = {
  'a paused agent': () => ({
    stop: (by) => by('POST', `/v1/agents/${governed.agent.id}/pause`, WHY),
    lift: (by) => by('POST', `/v1/agents/${governed.agent.id}/resume`, WHY),
  }),
  'a suspended agent': () => ({
    stop: (by) => by('POST', `/v1/agents/${governed.agent.id}/suspend`, WHY),
    lift: (by) => by('POST', `/v1/agents/${governed.agent.id}/resume`, WHY),
  }),
  'a disabled tool': () => ({
    stop: (by) => by('POST', `/v1/tools/${governed.tool.id}/disable`, WHY),
    lift: (by) => by('POST', `/v1/tools/${governed.tool.id}/enable`, WHY),
  }),
  'a withdrawn capability': () => ({
    stop: (by) => by('DELETE', `/v1/agents/${governed.agent.id}/capabilities/pay`),
    lift: (by) => by('POST', `/v1/agents/${governed.agent.id}/capabilities`, { capability: 'pay' }),
  }),
  'a withdrawn authorization': () => ({
    stop: (by) => by('DELETE', `/v1/tools/${governed.tool.id}/agents/${governed.agent.id}`),
    lift: (by) => by('POST', `/v1/tools/${governed.tool.id}/agents`, { agent_id: governed.agent.id }),
  }),
  'a tool restricted to no agent': () => ({
    stop: (by) => by('POST', `/v1/tools/${governed.tool.id}/restrict`, { agent_ids: [], ...WHY }),
    lift: (by) => by('POST', `/v1/tools/${governed.tool.id}/agents`, { agent_id: governed.agent.id }),
  }),
};

describe('an API key cannot lift a stop by a person', () => {
  for (const [name, made] of Object.entries(STOPS)) {
    test(`${name}: a key lifts the stop of a key, and a person the stop of a person`, async () => {
      const { stop, lift } = made();
      assert.equal((await stop(byKey)).status, 200);
      assert.ok((await lift(byKey)).status < 300);
      assert.equal((await stop(byPerson)).status, 200);
      const refused = await lift(byKey);
      assert.equal(verdict(refused), '403 PERMISSION_DENIED');
      assert.match(refused.json.error.message, /Have a signed-in person/);
      assert.notEqual((await governed.act({ amount: 5, currency: 'USD' })).status, 200);
      assert.ok((await lift(byPerson)).status < 300);
      assert.equal(
        (await governed.act({ amount: 5, currency: 'USD' }, { token: await mintToken(planes.gatewayUrl, governed.agent) })).status,
        200,
      );
      assert.equal((await stop(byKey)).status, 200);
      assert.ok((await lift(byKey)).status < 300, 'a stop of a person that was lifted counts no longer');
    });
  }

  test('a key cannot take over the stop of a person by suspending the agent itself', async () => {
    const path = `/v1/agents/${governed.agent.id}`;
    await byPerson('POST', `${path}/pause`, WHY);
    assert.equal((await byKey('POST', `${path}/suspend`, WHY)).status, 200);
    assert.equal(verdict(await byKey('POST', `${path}/resume`, WHY)), '403 PERMISSION_DENIED');
  });

  test('agents that a person paused in one bulk operation are resumed by a person', async () => {
    const path = `/v1/agents/${governed.agent.id}`;
    const bulk = (operation: string) => byPerson('POST', '/v1/agents/bulk', { agent_ids: [governed.agent.id], operation, ...WHY });
    assert.equal((await bulk('pause')).json.counts.changed, 1);
    assert.equal(verdict(await byKey('POST', `${path}/resume`, WHY)), '403 PERMISSION_DENIED');
    assert.equal((await bulk('resume')).json.counts.changed, 1);
    await byKey('POST', `${path}/pause`, WHY);
    assert.equal((await byKey('POST', `${path}/resume`, WHY)).status, 200);
  });

  test('a key cannot delay an end date that a person set', async () => {
    const path = `/v1/agents/${governed.agent.id}`;
    assert.equal((await byPerson('PATCH', path, { expires_at: inDays(1) })).status, 200);
    const made = await newAgent(governed.tenant, { expires_at: inDays(1) });
    for (const agent of [path, `/v1/agents/${made.id}`])
      for (const expires_at of [null, inDays(30)])
        assert.equal(verdict(await byKey('PATCH', agent, { expires_at })), '403 PERMISSION_DENIED');
    assert.equal((await byKey('PATCH', path, { description: 'Refunds orders.' })).status, 200);
    assert.equal((await byPerson('PATCH', path, { expires_at: null })).status, 200);
    const { environment_id, workspace_id } = governed.tenant;
    const body = { name: 'own', environment_id, workspace_id, capabilities: [], expires_at: inDays(1) };
    const { data } = (await byKey('POST', '/v1/agents', body)).json;
    assert.equal((await byKey('PATCH', `/v1/agents/${data.agent.id}`, { expires_at: inDays(2) })).status, 200);
  });
});

describe('an API key cannot set facts about an agent that an active rule reads', () => {
  const reading = (field: string, value: unknown, op = 'eq') => [
    ALLOW,
    { id: 'stop', effect: 'BLOCK', when: { not: { field, op, value } }, reason: 'Not one of ours.' },
  ];
  const decision = async (): Promise<string> => (await governed.act({ amount: 5, currency: 'USD' })).json.decision ?? 'REFUSED';

  test('a key cannot turn a block into an allow by a label', async () => {
    const path = `/v1/agents/${governed.agent.id}`;
    assert.equal((await byKey('PATCH', path, { labels: { team: 'refunds', tier: 'low' } })).status, 200);
    await activateRules(governed.tenant, 'labels', reading('agent.labels.tier', 'high'));
    assert.notEqual(await decision(), 'ALLOW');
    const refused = await byKey('PATCH', path, { labels: { team: 'refunds', tier: 'high' } });
    assert.equal(verdict(refused), '403 PERMISSION_DENIED');
    assert.match(refused.json.error.message, /agent\.labels\.tier/);
    assert.deepEqual(refused.json.error.details.fields, ['agent.labels.tier']);
    assert.equal(verdict(await byKey('PATCH', path, { labels: {} })), '403 PERMISSION_DENIED', 'removing it changes it too');
    assert.notEqual(await decision(), 'ALLOW');
    assert.equal((await byKey('PATCH', path, { labels: { team: 'payments', tier: 'low' } })).status, 200, 'no rule reads the team');
    assert.equal((await byPerson('PATCH', path, { labels: { tier: 'high' } })).status, 200);
    assert.equal(await decision(), 'ALLOW');
  });

  test('a key cannot register an agent with such a label or capability', async () => {
    const { environment_id, workspace_id } = governed.tenant;
    await activateRules(governed.tenant, 'labels', reading('agent.labels.tier', 'high'));
    await activateRules(governed.tenant, 'held', reading('agent.capabilities', 'pay', 'contains'));
    const body = { name: 'another', environment_id, workspace_id, capabilities: [] };
    assert.equal(verdict(await byKey('POST', '/v1/agents', { ...body, labels: { tier: 'high' } })), '403 PERMISSION_DENIED');
    assert.equal(verdict(await byKey('POST', '/v1/agents', { ...body, capabilities: ['pay'] })), '403 PERMISSION_DENIED');
    const made = await byKey('POST', '/v1/agents', { ...body, labels: { team: 'refunds' } });
    assert.equal(made.status, 201);
    const path = `/v1/agents/${made.json.data.agent.id}/capabilities`;
    assert.equal(verdict(await byKey('POST', path, { capability: 'pay' })), '403 PERMISSION_DENIED');
    assert.equal((await byPerson('POST', path, { capability: 'pay' })).status, 201);
  });

  test('a key cannot rename an agent that a rule names; a policy bound elsewhere does not count', async () => {
    const path = `/v1/agents/${governed.agent.id}`;
    const policy = await activateRules(governed.tenant, 'names', reading('agent.name', 'refunds'));
    assert.equal(verdict(await byKey('PATCH', path, { name: 'refunds' })), '403 PERMISSION_DENIED');
    const other = await newAgent(governed.tenant);
    const binding = { scope: 'AGENT', id: other.id, ...WHY, accept_warnings: true };
    const made = await byPerson('POST', `/v1/policies/${policy}/bindings`, binding);
    assert.ok(made.status < 300, made.text);
    const { bindings } = (await byPerson('GET', `/v1/policies/${policy}`)).json;
    const [{ id: whole }] = bindings.filter(({ scope }: { scope: string }) => scope === 'ORGANIZATION');
    assert.ok((await byPerson('DELETE', `/v1/policies/${policy}/bindings/${whole}?accept_warnings=true`)).status < 300);
    assert.equal((await byKey('PATCH', path, { name: 'refunds' })).status, 200);
    assert.equal(verdict(await byKey('PATCH', `/v1/agents/${other.id}`, { name: 'others' })), '403 PERMISSION_DENIED');
  });
});

describe('an API key cannot change a declaration of a tool that an active rule reads', () => {
  const declared = { parameters_schema: { type: 'object', properties: { sum: { type: 'integer' }, fee: { type: 'integer' } } } };

  const LARGE = [
    { id: 'large', effect: 'BLOCK', when: { field: 'amount', op: 'gt', value: 100 }, reason: 'Too large.' },
    { id: 'sum', effect: 'LIMIT', limit: { max_amount: 100, window_seconds: 60 }, reason: 'At most 100 in a minute.' },
  ];
  for (const rule of LARGE)
    test(`a key cannot move an amount that a ${rule.effect} rule reads to another parameter`, async () => {
      governed = await newGoverned(planes, {
        tool: { ...declared, amount_from: '/sum' },
        rules: [ALLOW, rule],
        tests: [{ name: 'no amount', given: {}, then: { effect: rule.effect === 'LIMIT' ? 'LIMIT' : 'ALLOW' } }],
      });
      const { token } = governed.tenant;
      const body = { name: 'automation', role_id: getBuiltInRole('admin').id };
      key = (await newControlClient(planes.controlUrl, token).createApiKey({ body })).token;
      const moved = { amount_from: '/fee', accept_warnings: true };
      const path = `/v1/tools/${governed.tool.id}`;
      assert.equal(verdict(await byKey('PATCH', path, moved)), '403 PERMISSION_DENIED');
      assert.equal((await byKey('PATCH', path, { description: 'Pays.' })).status, 200);
      assert.equal((await byPerson('PATCH', path, moved)).status, 200);
    });

  test('a key cannot accept a warning that a rule no longer applies to the tool', async () => {
    await activateRules(governed.tenant, 'ratings', [
      ALLOW,
      { id: 'rated', effect: 'BLOCK', when: { field: 'tool.risk_rating', op: 'eq', value: 'HIGH' }, reason: 'Not for agents.' },
    ]);
    const path = `/v1/tools/${governed.tool.id}`;
    assert.equal((await byKey('PATCH', path, { risk_rating: 'HIGH', accept_warnings: true })).status, 200, 'the rule joins');
    const refused = await byKey('PATCH', path, { risk_rating: 'CRITICAL', accept_warnings: true });
    assert.equal(verdict(refused), '403 PERMISSION_DENIED');
    assert.deepEqual(
      refused.json.error.details.warnings.map(({ rule_id }: { rule_id: string }) => rule_id),
      ['rated'],
    );
    assert.equal((await byPerson('PATCH', path, { risk_rating: 'CRITICAL', accept_warnings: true })).status, 200);
  });
});
