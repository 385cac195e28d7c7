import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { newAgent } from '@svc/testing/agents/agent.ts';
import { call, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { getMailsTo } from '@svc/testing/people/mails-to.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const ADMIN = getBuiltInRole('admin').id;
const VIEWER = getBuiltInRole('viewer').id;
const DAY_MS = 86_400_000;

const s = createScene({ tenantPerTest: true, steppedUp: true });
let key: string;

beforeEach(async () => {
  key = (await newKey(s.tenant.token)).token;
});

const send = (token: string, method: string, path: string, body?: object): Promise<TestResponse> =>
  call(s.planes.controlUrl, method, path, { token, ...(body === undefined ? {} : { body }) });
const newKey = (token: string, more: object = {}) =>
  mustCall(s.planes.controlUrl, 'POST', '/v1/api-keys', { token, body: { name: 'automation', role_id: ADMIN, ...more } });
const verdict = ({ status, json }: TestResponse): string => `${status} ${json?.error?.code ?? ''}`.trim();
const listPointers = ({ json }: TestResponse): string[] => json.error.details.faults.map(({ pointer }: { pointer: string }) => pointer);
const inDays = (days: number): number => Date.now() + days * DAY_MS;
const isNear = (time: string, ms: number): boolean => Math.abs(Date.parse(time) - ms) < 10 * 60_000;

const agentIn = async (status: 'ISOLATED' | 'SUSPENDED') => {
  const agent = await newAgent(s.tenant);
  const operation = status === 'ISOLATED' ? 'isolate' : 'suspend';
  await mustCall(s.planes.controlUrl, 'POST', `/v1/agents/${agent.id}/${operation}`, { token: s.tenant.token, body: { reason: 'test' } });
  return agent;
};

describe('an API key cannot change settings of sign-in', () => {
  const LOCAL = "allowed_networks = '{127.0.0.0/8,::1/128}'";
  for (const [body, stored] of [
    [{ require_mfa: false }, 'require_mfa = true'],
    [{ require_mfa: true }, 'require_mfa = false'],
    [{ allowed_networks: ['203.0.113.0/24'] }, LOCAL],
    [{ allowed_networks: [] }, LOCAL],
  ] as const) {
    test(`rejects ${JSON.stringify(body)} from a key, also with confirm_lockout`, async () => {
      await s.owner.query(`update organizations set ${stored} where id = $1`, [s.tenant.organization_id]);
      for (const more of [{}, { confirm_lockout: true }])
        assert.equal(verdict(await send(key, 'PATCH', '/v1/organization', { ...body, ...more })), '403 STEP_UP_REQUIRED');
    });
  }

  test('can change the name of the organization', async () => {
    // A client that sends the whole resource changes nothing else.
    const same = { require_mfa: false, allowed_networks: [], base_currency: 'USD' };
    assert.equal(verdict(await send(key, 'PATCH', '/v1/organization', { name: 'Renamed', ...same })), '200');
  });

  test('cannot change base currency and time zone, which rules depend on', async () => {
    for (const body of [{ base_currency: 'GBP' }, { time_zone: 'Asia/Tokyo' }])
      assert.equal(verdict(await send(key, 'PATCH', '/v1/organization', body)), '403 PERMISSION_DENIED');
  });

  test('requires a step-up of a person, writes a critical event and mails every owner', async () => {
    const second = await insertPerson(s.owner, s.tenant.organization_id, 'owner');
    const unproved = await insertPerson(s.owner, s.tenant.organization_id, 'admin');
    const body = { allowed_networks: ['127.0.0.0/8', '::1/128'] };
    assert.equal(verdict(await send(unproved.token, 'PATCH', '/v1/organization', body)), '403 STEP_UP_REQUIRED');
    assert.equal(verdict(await send(s.tenant.token, 'PATCH', '/v1/organization', body)), '200');
    const { data } = await mustCall(s.planes.controlUrl, 'GET', '/v1/audit-events?type=organization.updated', { token: s.tenant.token });
    assert.equal(data[0].severity, 'critical');
    for (const address of [s.tenant.email, `${second.id.toLowerCase()}@example.com`]) {
      const mails = await getMailsTo(s.owner, address);
      assert.ok(
        mails.some(({ template, values }) => template === 'security-settings-changed' && values.what?.includes('allowed_networks')),
        address,
      );
    }
  });

  test('refuses networks without the address of the caller at /allowed_networks, unless an owner confirms the lockout', async () => {
    const admin = await insertPerson(s.owner, s.tenant.organization_id, 'admin', { steppedUp: true });
    const body = { allowed_networks: ['203.0.113.0/24'] };
    for (const [token, more] of [
      [s.tenant.token, {}],
      [admin.token, {}],
      [admin.token, { confirm_lockout: true }],
    ] as const) {
      const answer = await send(token, 'PATCH', '/v1/organization', { ...body, ...more });
      assert.equal(verdict(answer), '400 VALIDATION_FAILED');
      assert.deepEqual(listPointers(answer), ['/allowed_networks']);
    }
    assert.equal(verdict(await send(s.tenant.token, 'PATCH', '/v1/organization', { ...body, confirm_lockout: true })), '200');
  });
});

describe('an API key cannot grant more than its own permissions', () => {
  test('an admin key cannot create an admin: the invitation requires confirmation by a person after a step-up', async () => {
    const email = `invited-${s.tenant.organization_id.toLowerCase()}@example.com`;
    const invited = await send(key, 'POST', '/v1/members/invitations', { email, role_id: ADMIN });
    assert.equal(verdict(invited), '201');
    assert.equal(invited.json.status, 'AWAITING_CONFIRMATION');
    assert.equal(invited.json.mails, 0);
    assert.deepEqual(await getMailsTo(s.owner, email), []);
    const asked = await getMailsTo(s.owner, s.tenant.email);
    assert.ok(asked.some(({ template }) => template === 'invitation-to-confirm'));
    const path = `/v1/members/invitations/${invited.json.id}`;
    assert.equal(verdict(await send(key, 'POST', `${path}/confirm`, {})), '403 PERMISSION_DENIED');
    assert.equal(verdict(await send(key, 'POST', `${path}/resend`, {})), '400 INVALID_STATE_TRANSITION');
    const admin = await insertPerson(s.owner, s.tenant.organization_id, 'admin');
    assert.equal(verdict(await send(admin.token, 'POST', `${path}/confirm`, {})), '403 STEP_UP_REQUIRED');
    const confirmed = await send(s.tenant.token, 'POST', `${path}/confirm`, {});
    assert.equal(verdict(confirmed), '200');
    assert.deepEqual([confirmed.json.status, confirmed.json.invited_by.id], ['PENDING', s.tenant.user.id]);
    assert.equal((await getMailsTo(s.owner, email)).length, 1);
    assert.equal(verdict(await send(s.tenant.token, 'POST', `${path}/confirm`, {})), '400 INVALID_STATE_TRANSITION');
  });

  test('a key cannot assign a role that may approve, step up, or change people, roles or keys', async () => {
    const { rows } = await s.owner.query('select id from members where user_id = $1', [
      (await insertPerson(s.owner, s.tenant.organization_id, 'viewer')).id,
    ]);
    const path = `/v1/members/${rows[0].id}`;
    for (const name of ['admin', 'security', 'approver', 'developer'] as const)
      assert.equal(verdict(await send(key, 'PATCH', path, { role_id: getBuiltInRole(name).id })), '403 PERMISSION_DENIED', name);
    const role = { name: 'Reads agents', permissions: ['agent:read'] };
    const plain = await mustCall(s.planes.controlUrl, 'POST', '/v1/roles', { token: s.tenant.token, body: role });
    assert.equal(verdict(await send(key, 'PATCH', path, { role_id: plain.id })), '200');
  });

  test('a key cannot remove, demote or sign out an owner, or reset any password', async () => {
    const other = await insertPerson(s.owner, s.tenant.organization_id, 'owner');
    const viewer = await insertPerson(s.owner, s.tenant.organization_id, 'viewer');
    const memberOf = async (id: string) => (await s.owner.query('select id from members where user_id = $1', [id])).rows[0].id;
    const path = `/v1/members/${await memberOf(other.id)}`;
    assert.equal(verdict(await send(key, 'DELETE', path)), '403 PERMISSION_DENIED');
    assert.equal(verdict(await send(key, 'PATCH', path, { role_id: VIEWER })), '403 PERMISSION_DENIED');
    assert.equal(verdict(await send(key, 'POST', `${path}/revoke-sessions`, {})), '403 PERMISSION_DENIED');
    const reset = `/v1/members/${await memberOf(viewer.id)}/reset-password`;
    assert.equal(verdict(await send(key, 'POST', reset, {})), '403 PERMISSION_DENIED');
  });
});

describe('an API key cannot extend its life', () => {
  test('a one-day key cannot rotate itself to a longer one', async () => {
    const made = await newKey(s.tenant.token, { expires_in_days: 1 });
    const rotate = `/v1/api-keys/${made.api_key.id}/rotate`;
    const longer = await send(made.token, 'POST', rotate, { expires_in_days: 730 });
    assert.equal(verdict(longer), '400 VALIDATION_FAILED');
    assert.deepEqual(listPointers(longer), ['/expires_in_days']);
    const rotated = await send(made.token, 'POST', rotate, {});
    assert.equal(rotated.json.api_key.expires_at, made.api_key.expires_at);
  });

  test('a key cannot create a key that outlives it, by itself or by its rotation', async () => {
    const maker = await newKey(s.tenant.token, { expires_in_days: 2 });
    const longer = await send(maker.token, 'POST', '/v1/api-keys', { name: 'longer', role_id: ADMIN, expires_in_days: 3 });
    assert.equal(verdict(longer), '400 VALIDATION_FAILED');
    assert.deepEqual(listPointers(longer), ['/expires_in_days']);
    const child = await newKey(maker.token);
    assert.equal(child.api_key.expires_at, maker.api_key.expires_at);
    const grandchild = await newKey(child.token, { expires_in_days: 1 });
    assert.ok(isNear(grandchild.api_key.expires_at, inDays(1)));
    for (const [token, id] of [
      [child.token, child.api_key.id],
      [maker.token, child.api_key.id],
      [s.tenant.token, child.api_key.id],
      [maker.token, grandchild.api_key.id],
    ]) {
      const rotated = await send(token, 'POST', `/v1/api-keys/${id}/rotate`, { expires_in_days: 30 });
      assert.equal(verdict(rotated), '400 VALIDATION_FAILED');
    }
  });

  test('a person can change the end of their own key', async () => {
    const made = await newKey(s.tenant.token, { expires_in_days: 1 });
    const rotated = await send(s.tenant.token, 'POST', `/v1/api-keys/${made.api_key.id}/rotate`, { expires_in_days: 30 });
    assert.ok(isNear(rotated.json.api_key.expires_at, inDays(30)));
  });
});

describe('an API key cannot run emergency controls', () => {
  test('isolates no agent', async () => {
    const agent = await newAgent(s.tenant);
    assert.equal(verdict(await send(key, 'POST', `/v1/agents/${agent.id}/isolate`, { reason: 'x' })), '403 STEP_UP_REQUIRED');
  });

  test('lifts no isolation, by a resume or by a suspension before it', async () => {
    const agent = await agentIn('ISOLATED');
    for (const operation of ['resume', 'suspend'])
      assert.equal(verdict(await send(key, 'POST', `/v1/agents/${agent.id}/${operation}`, { reason: 'x' })), '403 STEP_UP_REQUIRED');
    const suspended = `/v1/agents/${(await newAgent(s.tenant)).id}`;
    for (const operation of ['suspend', 'resume'])
      assert.equal(verdict(await send(key, 'POST', `${suspended}/${operation}`, { reason: 'x' })), '200');
  });

  test('a person needs emergency:execute and a step-up to isolate and to lift it', async () => {
    const permissions = ['agent:read', 'agent:resume', 'agent:suspend', 'agent:revoke'];
    const role = await mustCall(s.planes.controlUrl, 'POST', '/v1/roles', {
      token: s.tenant.token,
      body: { name: 'Operators', permissions },
    });
    const operator = await insertPerson(s.owner, s.tenant.organization_id, role, { steppedUp: true });
    const isolated = await agentIn('ISOLATED');
    const active = await newAgent(s.tenant);
    assert.equal(verdict(await send(operator.token, 'POST', `/v1/agents/${active.id}/isolate`, { reason: 'x' })), '403 PERMISSION_DENIED');
    for (const operation of ['resume', 'suspend']) {
      const path = `/v1/agents/${isolated.id}/${operation}`;
      assert.equal(verdict(await send(operator.token, 'POST', path, { reason: 'x' })), '403 PERMISSION_DENIED');
    }
    const bulk = { agent_ids: [isolated.id], operation: 'resume', reason: 'x' };
    const { results } = (await send(operator.token, 'POST', '/v1/agents/bulk', bulk)).json;
    assert.deepEqual([results[0].outcome, results[0].code], ['REFUSED', 'PERMISSION_DENIED']);
    const security = await insertPerson(s.owner, s.tenant.organization_id, 'security');
    assert.equal(verdict(await send(security.token, 'POST', `/v1/agents/${isolated.id}/resume`, { reason: 'x' })), '403 STEP_UP_REQUIRED');
    assert.equal(verdict(await send(s.tenant.token, 'POST', `/v1/agents/${isolated.id}/resume`, { reason: 'x' })), '200');
  });
});

describe('an API key cannot loosen what rules depend on', () => {
  const newTool = (more: object = {}) =>
    mustCall(s.planes.controlUrl, 'POST', '/v1/tools', {
      token: s.tenant.token,
      body: {
        ...{ name: `pay.${Math.random().toString(36).slice(2)}`, environment_id: s.tenant.environment_id, kind: 'SDK' },
        ...{ required_capability: 'pay', risk_rating: 'HIGH', destination_allowlist: ['*.example.com'] },
        ...more,
      },
    });

  test('cannot lower a risk rating or widen destinations of a tool, but can raise and narrow them', async () => {
    const tool = await newTool();
    const path = `/v1/tools/${tool.id}`;
    for (const body of [
      { risk_rating: 'LOW' },
      { destination_allowlist: ['*.example.com', '*.example.org'] },
      { destination_allowlist: [] },
    ]) {
      assert.equal(verdict(await send(key, 'PATCH', path, body)), '403 STEP_UP_REQUIRED', JSON.stringify(body));
      const unproved = await insertPerson(s.owner, s.tenant.organization_id, 'admin');
      assert.equal(verdict(await send(unproved.token, 'PATCH', path, body)), '403 STEP_UP_REQUIRED', JSON.stringify(body));
    }
    assert.equal(verdict(await send(key, 'PATCH', path, { destination_allowlist: ['api.example.com'] })), '200');
    assert.equal(verdict(await send(key, 'PATCH', path, { risk_rating: 'CRITICAL' })), '200');
    assert.equal(verdict(await send(key, 'PATCH', path, { risk_rating: 'HIGH' })), '403 STEP_UP_REQUIRED');
    assert.equal(verdict(await send(s.tenant.token, 'PATCH', path, { risk_rating: 'LOW' })), '200');
  });

  test('cannot authorize an agent for a critical or dangerous tool in production', async () => {
    const agent = await newAgent(s.tenant, { capabilities: ['pay'] });
    for (const more of [{ risk_rating: 'CRITICAL' }, { dangerous: true }]) {
      const tool = await newTool(more);
      const body = { agent_id: agent.id };
      assert.equal(verdict(await send(key, 'POST', `/v1/tools/${tool.id}/agents`, body)), '403 STEP_UP_REQUIRED');
      assert.equal(verdict(await send(s.tenant.token, 'POST', `/v1/tools/${tool.id}/agents`, body)), '201');
    }
    const high = await newTool();
    assert.equal(verdict(await send(key, 'POST', `/v1/tools/${high.id}/agents`, { agent_id: agent.id })), '201');
  });

  test('cannot set or delete a manual exchange rate; a person needs a step-up', async () => {
    const body = { base_currency: 'GBP', quote_currency: 'EUR', rate: '1.2' };
    assert.equal(verdict(await send(key, 'POST', '/v1/fx-rates', body)), '403 PERMISSION_DENIED');
    const unproved = await insertPerson(s.owner, s.tenant.organization_id, 'admin');
    const first = await send(unproved.token, 'POST', '/v1/fx-rates', body);
    assert.equal(verdict(first), '201');
    for (const changed of [
      { ...body, rate: '0.001' },
      { base_currency: 'EUR', quote_currency: 'GBP', rate: '1000' },
    ])
      assert.equal(verdict(await send(unproved.token, 'POST', '/v1/fx-rates', changed)), '403 STEP_UP_REQUIRED');
    assert.equal(verdict(await send(s.tenant.token, 'POST', '/v1/fx-rates', { ...body, rate: '1.3' })), '201');
    assert.equal(verdict(await send(key, 'DELETE', `/v1/fx-rates/${first.json.id}`)), '403 PERMISSION_DENIED');
    assert.equal(verdict(await send(unproved.token, 'DELETE', `/v1/fx-rates/${first.json.id}`)), '403 STEP_UP_REQUIRED');
  });
});
