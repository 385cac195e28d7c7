import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { newAgent } from '@svc/testing/agents/agent.ts';
import { type Delegating, newDelegating } from '@svc/testing/agents/delegating.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { newTenant } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';

let planes: Planes;
let scene: Delegating;
let owner: pg.Client;
before(async () => {
  planes = await leasePlanes();
  scene = await newDelegating(planes, 5);
  owner = await planes.database.client();
});
after(async () => {
  await owner.end();
  await planes.stop();
});

const IN_A_DAY = new Date(Date.now() + 86_400_000).toISOString();
const agentId = (n: number): string => scene.agents[n]?.id ?? '';
const readEvents = async (subject: string): Promise<{ type: string; data: Record<string, unknown>; actor_type: string }[]> =>
  (await owner.query('select type, data, actor_type from audit_events where subject_id = $1 order by id', [subject])).rows;
const getCode = (answer: TestResponse): string => answer.json?.error?.code ?? `${answer.status}`;

const WIDE = {
  scope: { capabilities: ['pay', 'read'], tools: ['pay'], destinations: ['*.example.com'] },
  ceiling: { max_amount: 10_000, currency: 'USD', max_calls: 10, window_seconds: 3600 },
  expires_at: IN_A_DAY,
};

describe('createDelegation: a delegation', () => {
  test('of a person is returned as requested, and recorded in an event', async () => {
    const made = await scene.delegate({ delegate_agent_id: agentId(0), ...WIDE, can_redelegate: true, max_depth: 2 });
    assert.equal(made.status, 201, made.text);
    const { id, created_at, updated_at, warnings, ...rest } = made.json;
    assert.match(id, /^del_/);
    assert.equal(created_at, updated_at);
    assert.equal(warnings[0].kind, 'grants_come_back');
    assert.deepEqual(rest, {
      parent_id: null,
      delegator: { type: 'USER', id: scene.tenant.user.id },
      delegate_agent_id: agentId(0),
      scope: { ...WIDE.scope, environments: null },
      ceiling: WIDE.ceiling,
      expires_at: IN_A_DAY,
      can_redelegate: true,
      max_depth: 2,
      depth: 0,
      status: 'ACTIVE',
      backing: 'HELD',
      version: 1,
      created_by: { type: 'USER', id: scene.tenant.user.id },
      ended_at: null,
      ended_reason: null,
    });
    const [event] = await readEvents(id);
    assert.equal(event?.type, 'delegation.created');
    assert.deepEqual(event?.data.delegator, rest.delegator);
  });

  test('inherits omitted members from its parent, and comes from the agent that received the parent', async () => {
    const parent = await scene.root(0, WIDE);
    const made = await scene.delegate({
      delegate_agent_id: agentId(1),
      parent_id: parent,
      scope: { capabilities: ['pay'] },
      ceiling: { max_calls: 3 },
    });
    assert.equal(made.status, 201, made.text);
    const { delegator, scope, ceiling, expires_at, depth, can_redelegate, max_depth } = made.json;
    assert.deepEqual(delegator, { type: 'AGENT', id: agentId(0) });
    assert.deepEqual(scope, { ...WIDE.scope, capabilities: ['pay'], environments: null });
    assert.deepEqual(ceiling, { ...WIDE.ceiling, max_calls: 3 });
    assert.deepEqual([expires_at, depth, can_redelegate, max_depth], [IN_A_DAY, 1, false, 0]);
  });

  test('by an API key is made in the name of the person who created the key', async () => {
    const key = await newControlClient(planes.controlUrl, scene.tenant.token).createApiKey({
      body: { name: 'maker', role_id: getBuiltInRole('developer').id },
    });
    const inner = await newControlClient(planes.controlUrl, key.token).createApiKey({
      body: { name: 'made by a key', role_id: getBuiltInRole('developer').id },
    });
    const made = await newControlClient(planes.controlUrl, inner.token).createDelegation({ body: { delegate_agent_id: agentId(0) } });
    assert.deepEqual(made.delegator, { type: 'USER', id: scene.tenant.user.id });
    assert.deepEqual(made.created_by, { type: 'API_KEY', id: inner.api_key.id });
    assert.equal((await readEvents(made.id))[0]?.actor_type, 'API_KEY');
    const other = { type: 'USER', id: 'usr_7ZZZZZZZZZZZZZZZZZZZZZZZZZ' };
    const refused = await call(planes.controlUrl, 'POST', '/v1/delegations', {
      token: inner.token,
      body: { delegate_agent_id: agentId(0), delegator: other },
    });
    assert.equal(getCode(refused), 'PERMISSION_DENIED');
  });

  test('cannot name another delegator than the agent that received its parent', async () => {
    const parent = await scene.root(0);
    for (const delegator of [
      { type: 'AGENT', id: agentId(2) },
      { type: 'USER', id: scene.tenant.user.id },
    ]) {
      const refused = await scene.delegate({ delegate_agent_id: agentId(1), parent_id: parent, delegator });
      assert.equal(getCode(refused), 'VALIDATION_FAILED');
      assert.equal(refused.json.error.details.faults[0].pointer, '/delegator');
    }
  });

  test('listDelegations filters, newest first, page by page', async () => {
    const parent = await scene.root(3);
    const children = [await scene.child(3, 4, parent), await scene.child(3, 4, parent), await scene.child(3, 4, parent)];
    const list = async (query: string) => (await scene.owner('GET', `/v1/delegations?${query}`)).json;
    const below = await list(`parent_id=${parent}`);
    assert.deepEqual(
      below.map((one: { id: string }) => one.id),
      children.toReversed(),
    );
    const second = await list(`parent_id=${parent}&limit=1&offset=1`);
    assert.deepEqual([second[0].id, second.length], [children[1], 1]);
    await scene.owner('POST', `/v1/delegations/${children[0]}/revoke`, { reason: 'test' });
    assert.equal((await list(`parent_id=${parent}&status=REVOKED`))[0].id, children[0]);
    assert.equal((await list(`parent_id=${parent}&status=ACTIVE`)).length, 2);
    assert.equal((await list(`delegator_id=${agentId(3)}`)).length, 3);
    assert.equal((await list(`delegate_agent_id=${agentId(3)}`)).length, 1);
  });
});

describe('a chain', () => {
  test('never returns to an agent that is in it', async () => {
    const root = await scene.root(0);
    const first = await scene.child(0, 1, root, { can_redelegate: true, max_depth: 3 });
    const second = await scene.child(1, 2, first, { can_redelegate: true, max_depth: 2 });
    for (const to of [0, 1, 2]) {
      const refused = await scene.handOn(2, { delegate_agent_id: agentId(to), parent_id: second });
      assert.equal(getCode(refused), 'DELEGATION_INVALID', refused.text);
    }
  });

  test('cannot be extended by an agent that did not receive it, and the response reveals nothing about it', async () => {
    const root = await scene.root(0);
    const anonymised = ({ text, json }: TestResponse) => text.replaceAll(json.error.request_id, 'req');
    const strange = await scene.handOn(1, { delegate_agent_id: agentId(2), parent_id: root });
    const unknown = await scene.handOn(1, { delegate_agent_id: agentId(2), parent_id: 'del_7ZZZZZZZZZZZZZZZZZZZZZZZZZ' });
    assert.equal(getCode(strange), 'NOT_FOUND');
    assert.equal(anonymised(strange), anonymised(unknown));
  });

  test('that ended cannot be extended', async () => {
    const root = await scene.root(0);
    await scene.owner('POST', `/v1/delegations/${root}/revoke`, { reason: 'test' });
    assert.equal(getCode(await scene.handOn(0, { delegate_agent_id: agentId(1), parent_id: root })), 'DELEGATION_INVALID');
  });

  test('cannot be extended by a stopped agent, or to one whose identity has ended', async () => {
    const own = await newDelegating(planes, 2);
    const root = await own.root(0);
    const id = own.agents[0]?.id;
    await own.owner('POST', `/v1/agents/${id}/pause`, {});
    const body = { delegate_agent_id: own.agents[1]?.id, parent_id: root };
    assert.equal(getCode(await own.handOn(0, body)), 'AGENT_NOT_OPERATIONAL');
    assert.equal(getCode(await own.delegate(body)), 'DELEGATION_INVALID');
    await own.owner('POST', `/v1/agents/${id}/revoke`, { reason: 'test' });
    assert.equal(getCode(await own.delegate({ delegate_agent_id: id })), 'DELEGATION_INVALID');
  });
});

describe('a malformed request', () => {
  const bodies: readonly (readonly [string, object, string])[] = [
    ['an expiry in the past', { expires_at: '2020-01-01T00:00:00.000Z' }, '/expires_at'],
    ['an expiry that is no time', { expires_at: 'tomorrow' }, '/expires_at'],
    ['an amount without its currency', { ceiling: { max_amount: 5 } }, '/ceiling/currency'],
    ['a currency without an amount', { ceiling: { currency: 'USD' } }, '/ceiling/max_amount'],
    ['an unknown currency', { ceiling: { max_amount: 5, currency: 'ZZZ' } }, '/ceiling/currency'],
    ['a destination with a path', { scope: { destinations: ['ok.example', 'example.com/path'] } }, '/scope/destinations/1'],
    ['a negative amount', { ceiling: { max_amount: -1, currency: 'USD' } }, '/ceiling/max_amount'],
    ['a chain without end', { can_redelegate: true, max_depth: 16 }, '/max_depth'],
    ['an unknown bound', { scope: { regions: [] } }, '/scope/regions'],
    ['a tool by a wildcard', { scope: { tools: ['pay', 'payments.*'] } }, '/scope/tools/1'],
    ['a capability that is no name', { scope: { capabilities: ['*'] } }, '/scope/capabilities/0'],
  ];
  for (const [what, body, pointer] of bodies) {
    test(`${what} is refused with a pointer to it`, async () => {
      const refused = await scene.delegate({ delegate_agent_id: agentId(0), ...body });
      assert.equal(getCode(refused), 'VALIDATION_FAILED', refused.text);
      const pointers = refused.json.error.details.faults.map((fault: { pointer: string }) => fault.pointer);
      assert.ok(pointers.includes(pointer), refused.text);
    });
  }
});

describe('another tenant', () => {
  test('cannot name anything of this one in any member of a body, or distinguish it from an unknown id', async () => {
    const stranger = await newTenant(planes);
    const own = await newAgent(stranger, { capabilities: ['pay'] });
    const parent = await scene.root(0);
    const never = (id: string) => id.replace(/_.*/, '_7ZZZZZZZZZZZZZZZZZZZZZZZZZ');
    const places: readonly ((id: string) => object)[] = [
      (id) => ({ delegate_agent_id: id }),
      (id) => ({ delegate_agent_id: own.id, delegator: { type: 'AGENT', id } }),
    ];
    const asked: [string, object][] = [
      ...places.flatMap((place): [string, object][] => [
        [agentId(0), place(agentId(0))],
        [agentId(0), place(never(agentId(0)))],
      ]),
      ...[parent, never(parent)].map((id): [string, object] => [id, { delegate_agent_id: own.id, parent_id: id }]),
      ...[scene.tenant.environment_id, never(scene.tenant.environment_id)].map((id): [string, object] => [
        id,
        { delegate_agent_id: own.id, scope: { environments: [id] } },
      ]),
      ...[scene.tool.id, never(scene.tool.id)].map((id): [string, object] => [id, { delegate_agent_id: own.id, scope: { tools: [id] } }]),
    ];
    for (const path of ['/v1/delegations', '/v1/delegations/simulate']) {
      const answers: string[] = [];
      for (const [, body] of asked) {
        const answer = await call(planes.controlUrl, 'POST', path, { token: stranger.token, body });
        assert.equal(getCode(answer), 'NOT_FOUND', answer.text);
        answers.push(answer.text.replaceAll(answer.json.error.request_id, 'req'));
      }
      for (let n = 0; n < answers.length; n += 2) assert.equal(answers[n], answers[n + 1]);
    }
  });
});
