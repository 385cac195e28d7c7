import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { newAgent } from '@svc/testing/agents/agent.ts';
import { type Delegating, newDelegating } from '@svc/testing/agents/delegating.ts';
import { call, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { readTables } from '@svc/testing/records/read-tables.ts';
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

const readStatuses = async (ids: readonly string[]): Promise<string[]> => {
  const { rows } = await owner.query('select id, status from delegations where id = any($1)', [ids]);
  return ids.map((id) => rows.find((row) => row.id === id)?.status);
};
const getCode = (answer: TestResponse): string => answer.json?.error?.code ?? `${answer.status}`;
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const reduce = (id: string, body: object) => scene.owner('PATCH', `/v1/delegations/${id}`, body);

describe('a caller limited to one workspace', () => {
  test('sees, reduces and revokes the chains that its agents are part of, with everything below, and no others', async () => {
    const { tenant } = scene;
    const post = (path: string, body: object) => mustCall(planes.controlUrl, 'POST', path, { token: tenant.token, body });
    const workspace = await post('/v1/workspaces', { name: 'Elsewhere' });
    const environment = await post('/v1/environments', { workspace_id: workspace.id, name: 'Other', type: 'STAGING' });
    const outside = await newAgent({ ...tenant, workspace_id: workspace.id, environment_id: environment.id }, { capabilities: ['pay'] });
    const { token } = await post('/v1/api-keys', {
      name: 'limited',
      role_id: getBuiltInRole('admin').id,
      workspace_id: tenant.workspace_id,
    });
    const as = (method: string, path: string, body?: object) => call(planes.controlUrl, method, path, { token, ...(body ? { body } : {}) });
    const hidden = await post('/v1/delegations', { delegate_agent_id: outside.id, can_redelegate: true, max_depth: 3 });
    const root = await scene.root(0, { max_depth: 6, scope: { capabilities: ['pay'] } });
    const below = await post('/v1/delegations', { delegate_agent_id: outside.id, parent_id: root, can_redelegate: true, max_depth: 3 });
    const back = await post('/v1/delegations', { delegate_agent_id: scene.agents[1]?.id, parent_id: below.id });
    const items = (await as('GET', '/v1/delegations?limit=200')).json;
    const seen = items.map((one: { id: string }) => one.id);
    assert.deepEqual(
      [hidden.id, root, below.id, back.id].map((id) => seen.includes(id)),
      [false, true, true, true],
    );
    const graph = (await as('GET', '/v1/delegations/graph')).json;
    assert.equal(graph.nodes.find((node: { id: string }) => node.id === outside.id)?.name, '');
    for (const path of ['', '/revoke']) {
      const body = path ? { reason: 'test' } : { max_depth: 0 };
      const method = path ? 'POST' : 'PATCH';
      assert.equal(getCode(await as(method, `/v1/delegations/${hidden.id}${path}`, body)), 'NOT_FOUND');
    }
    // The bounds may come from a delegation outside the caller's scope, and still apply.
    const mixed = await post('/v1/delegations', {
      delegate_agent_id: scene.agents[2]?.id,
      parent_id: hidden.id,
      can_redelegate: true,
      max_depth: 2,
    });
    await reduce(hidden.id, { scope: { capabilities: ['read'] } });
    const widened = await as('POST', '/v1/delegations', {
      delegate_agent_id: scene.agents[3]?.id,
      parent_id: mixed.id,
      scope: { capabilities: ['pay'] },
    });
    assert.equal(getCode(widened), 'DELEGATION_ESCALATION', widened.text);
    assert.equal((await as('POST', `/v1/delegations/${root}/revoke`, { reason: 'test' })).status, 200);
    assert.deepEqual(await readStatuses([root, below.id, back.id]), ['REVOKED', 'REVOKED', 'REVOKED']);
  });
});

describe('reading', () => {
  test('simulateDelegation returns the outcome and writes nothing', async () => {
    const own = await newDelegating(planes, 2);
    const root = await own.root(0, { scope: { capabilities: ['pay'] }, expires_at: inMs(3_600_000) });
    const simulate = (body: object) => own.owner('POST', '/v1/delegations/simulate', body);
    const to = own.agents[1]?.id;
    // A session records its last use only now and then.
    await simulate({ delegate_agent_id: to });
    const before = await readTables(owner);
    const permitted = await simulate({ delegate_agent_id: to, parent_id: root, ceiling: { max_calls: 5 } });
    assert.deepEqual([permitted.json.permitted, permitted.json.code], [true, null], permitted.text);
    assert.deepEqual(permitted.json.delegation.scope.capabilities, ['pay']);
    assert.equal(permitted.json.delegation.depth, 1);
    const refused = await simulate({ delegate_agent_id: to, parent_id: root, scope: { capabilities: ['read'] } });
    assert.deepEqual([refused.json.permitted, refused.json.code], [false, 'DELEGATION_ESCALATION']);
    assert.deepEqual(refused.json.fields, [{ field: 'scope.capabilities', parent: ['pay'], asked: ['read'] }]);
    const circle = await simulate({ delegate_agent_id: own.agents[0]?.id, parent_id: root });
    assert.deepEqual([circle.status, circle.json.code], [200, 'DELEGATION_INVALID']);
    assert.deepEqual(await readTables(owner), before);
  });

  test('getDelegationGraph has an edge for each delegation, a node for each party by name, and pages', async () => {
    const own = await newDelegating(planes, 3);
    const root = await own.root(0);
    const child = await own.child(0, 1, root, { scope: { capabilities: ['pay'] } });
    const graph = (query = '') => own.owner('GET', `/v1/delegations/graph${query}`);
    const { json } = await graph();
    assert.deepEqual(
      json.edges.map((edge: { id: string; from: string; to: string }) => [edge.id, edge.from, edge.to]),
      [
        [child, own.agents[0]?.id, own.agents[1]?.id],
        [root, own.tenant.user.id, own.agents[0]?.id],
      ],
    );
    const { status, scope, ceiling, expires_at } = json.edges[0];
    assert.deepEqual([status, scope.capabilities, ceiling.max_calls, expires_at], ['ACTIVE', ['pay'], null, null]);
    const names = json.nodes.map((node: { id: string; type: string; name: string }) => [node.id, node.type, node.name]).toSorted();
    const expected = [
      [own.tenant.user.id, 'USER', own.tenant.user.name],
      ...own.agents.slice(0, 2).map((agent) => [agent.id, 'AGENT', agent.name]),
    ];
    assert.deepEqual(names, expected.toSorted());
    const first = (await graph('?limit=1')).json;
    assert.deepEqual([first.edges[0].id, first.page.has_more], [child, true]);
    const second = (await graph(`?limit=1&cursor=${encodeURIComponent(first.page.next_cursor)}`)).json;
    assert.deepEqual([second.edges[0].id, second.page.has_more], [root, false]);
    assert.equal((await graph(`?agent_id=${own.agents[1]?.id}`)).json.edges.length, 2);
    assert.equal((await graph(`?agent_id=${own.agents[2]?.id}`)).json.edges.length, 0);
    await own.owner('POST', `/v1/delegations/${child}/revoke`, { reason: 'test' });
    assert.deepEqual(
      (await graph('?status=REVOKED')).json.edges.map((edge: { id: string }) => edge.id),
      [child],
    );
  });

  test('the authority of an agent shows each chain, what every link removed, and what remains', async () => {
    const own = await newDelegating(planes, 2);
    const readAuthority = async (n: number) => (await own.owner('GET', `/v1/agents/${own.agents[n]?.id}/authority`)).json;
    const free = await readAuthority(1);
    assert.deepEqual([free.source, free.acts_under, free.delegations], ['GRANT', [], []]);
    assert.ok(free.capabilities.every((one: { effective: boolean }) => one.effective));
    const root = await own.root(0, { scope: { capabilities: ['pay', 'read'] }, ceiling: { max_calls: 9 } });
    const child = await own.child(0, 1, root, { scope: { capabilities: ['pay'] }, ceiling: { max_calls: 4 } });
    const { delegations, tools, source } = await readAuthority(1);
    assert.equal(source, 'GRANT');
    const [derived] = delegations;
    assert.deepEqual([derived.delegation_id, derived.usable, derived.code], [child, true, null]);
    assert.deepEqual(
      derived.steps.map((step: { delegation_id: string }) => step.delegation_id),
      [root, child],
    );
    assert.deepEqual(derived.steps[1].narrowings, [{ field: 'scope.capabilities', removed: ['read'], left: ['pay'] }]);
    assert.deepEqual(derived.bounds.capabilities, ['pay']);
    assert.deepEqual(
      derived.bounds.ceilings.map((one: { max_calls: number }) => one.max_calls),
      [9, 4],
    );
    assert.deepEqual(
      tools.map((tool: { usable: boolean; delegations: string[] }) => [tool.usable, tool.delegations]),
      [[true, [child]]],
    );
    await own.owner('PATCH', `/v1/delegations/${root}`, { scope: { capabilities: ['read'] } });
    const after = await readAuthority(0);
    assert.deepEqual([after.source, after.acts_under], ['DELEGATION', [root]]);
    assert.deepEqual(
      after.capabilities.filter((one: { effective: boolean }) => one.effective).map((one: { capability: string }) => one.capability),
      ['read'],
    );
    assert.deepEqual([after.tools[0].usable, after.tools[0].code], [false, 'AUTHORITY_EXCEEDED']);
    await own.owner('POST', `/v1/delegations/${root}/revoke`, { reason: 'test' });
    const [ended] = (await readAuthority(1)).delegations;
    assert.deepEqual([ended.usable, ended.code], [false, 'DELEGATION_INVALID']);
  });
});
