import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { newAgent, type TestAgent } from '@svc/testing/agents/agent.ts';
import { call, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { newTenant, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

/** One organization with two workspaces, and an agent and a tool in each; `key` is limited to the first workspace. */
const s = createScene({ steppedUp: true });
let beside: Tenant;
let inside: TestAgent;
let outside: TestAgent;
let tools: { inside: string; outside: string };
let key: string;

const post = (path: string, body: object) => mustCall(s.planes.controlUrl, 'POST', path, { token: s.tenant.token, body });
s.before(async () => {
  const workspace = await post('/v1/workspaces', { name: 'Beside' });
  const environment = await post('/v1/environments', { workspace_id: workspace.id, name: 'Production', type: 'PRODUCTION' });
  beside = { ...s.tenant, workspace_id: workspace.id, environment_id: environment.id };
  inside = await newAgent(s.tenant, { capabilities: ['pay'] });
  outside = await newAgent(beside, { capabilities: ['pay'] });
  const tool = ({ environment_id }: Tenant) => post('/v1/tools', { name: 'pay', environment_id, required_capability: 'pay', kind: 'SDK' });
  tools = { inside: (await tool(s.tenant)).id, outside: (await tool(beside)).id };
  key = (await post('/v1/api-keys', { name: 'limited', role_id: getBuiltInRole('admin').id, workspace_id: s.tenant.workspace_id })).token;
});

type Sent = { readonly token?: string; readonly headers?: Record<string, string> };
const send = (method: string, path: string, body?: unknown, { token = key, headers = {} }: Sent = {}): Promise<TestResponse> =>
  call(s.planes.controlUrl, method, path, { token, headers, ...(body === undefined ? {} : { body }) });
const NEVER = { agent: 'agt_7ZZZZZZZZZZZZZZZZZZZZZZZZZ', tool: 'tool_7ZZZZZZZZZZZZZZZZZZZZZZZZZ' };

const reason = 'test';
/** Lists every operation on one agent or tool that a path names. */
const named = (agent: string, tool: string): readonly (readonly [string, string, unknown?])[] => [
  ['GET', `/v1/agents/${agent}`],
  ['PATCH', `/v1/agents/${agent}`, { description: 'mine' }],
  ['POST', `/v1/agents/${agent}/pause`, {}],
  ['POST', `/v1/agents/${agent}/resume`, { reason }],
  ['POST', `/v1/agents/${agent}/suspend`, { reason }],
  ['POST', `/v1/agents/${agent}/revoke`, { reason }],
  ['POST', `/v1/agents/${agent}/rotate-credentials`, {}],
  ['GET', `/v1/agents/${agent}/health`],
  ['GET', `/v1/agents/${agent}/authority`],
  ['GET', `/v1/agents/${agent}/passport`],
  ['POST', `/v1/agents/${agent}/capabilities`, { capability: 'more' }],
  ['DELETE', `/v1/agents/${agent}/capabilities/pay`],
  ['GET', `/v1/tools/${tool}`],
  ['POST', `/v1/tools/${tool}/agents`, { agent_id: agent }],
  ['DELETE', `/v1/tools/${tool}/agents/${agent}`],
  ['POST', `/v1/tools/${tool}/disable`, { reason }],
  ['POST', `/v1/tools/${tool}/enable`, { reason }],
];

const strangers: string[] = [];

/** Reads rows of the organizations of this test only; other tests may use the same database. */
const everything = async () =>
  (
    await s.owner.query(
      `select (select json_agg(a order by id) from agents a where organization_id = any ($1)) as agents,
        (select json_agg(t order by id) from tools t where organization_id = any ($1)) as tools,
        (select json_agg(t) from tool_agents t where organization_id = any ($1)) as authorized,
        (select count(*) from audit_events where organization_id = any ($1)) as events,
        (select count(*) from agent_keys where organization_id = any ($1)) as keys`,
      [[s.tenant.organization_id, ...strangers]],
    )
  ).rows[0];

const assertAlike = async (
  foreign: (readonly [string, string, unknown?])[],
  never: (readonly [string, string, unknown?])[],
  sent: Sent,
) => {
  const before = await everything();
  for (const [at, [method, path, body]] of foreign.entries()) {
    const [, neverPath, neverBody] = never[at] ?? ['', ''];
    const [one, other] = [await send(method, path, body, sent), await send(method, neverPath, neverBody, sent)];
    assert.equal(one.status, 404, `${method} ${path}: ${one.text}`);
    assert.equal(one.text.replace(one.json.error.request_id, ''), other.text.replace(other.json.error.request_id, ''), path);
  }
  assert.deepEqual(await everything(), before);
};

test('a key of one workspace finds no agent or tool of another, with a byte-identical response, and changes nothing', () =>
  assertAlike([...named(outside.id, tools.outside)], [...named(NEVER.agent, NEVER.tool)], {}));

test('an owner of another organization and a person who narrows the scope by a header find none either', async () => {
  const stranger = await newTenant(s.planes);
  strangers.push(stranger.organization_id);
  await stepUp(s.planes.controlUrl, stranger);
  await assertAlike([...named(inside.id, tools.inside)], [...named(NEVER.agent, NEVER.tool)], { token: stranger.token });
  for (const headers of [{ 'x-svc-environment': s.tenant.environment_id }, { 'x-svc-workspace': s.tenant.workspace_id }]) {
    await assertAlike([...named(outside.id, tools.outside)], [...named(NEVER.agent, NEVER.tool)], { token: s.tenant.token, headers });
  }
});

test('refuses to authorize a foreign agent for a tool, and to create a tool or agent elsewhere', async () => {
  const before = await everything();
  const asked = async (method: string, path: string, body: unknown) => (await send(method, path, body)).json.error?.code;
  assert.equal(await asked('POST', `/v1/tools/${tools.inside}/agents`, { agent_id: outside.id }), 'NOT_FOUND');
  assert.equal(await asked('DELETE', `/v1/tools/${tools.inside}/agents/${outside.id}`, undefined), 'NOT_FOUND');
  const { workspace_id, environment_id } = beside;
  assert.equal(await asked('POST', '/v1/agents', { name: 'n', workspace_id, environment_id, capabilities: [] }), 'NOT_FOUND');
  assert.equal(await asked('POST', '/v1/tools', { name: 'n', environment_id, required_capability: 'x', kind: 'SDK' }), 'NOT_FOUND');
  assert.deepEqual(await everything(), before);
});

test('lists, totals and events show a limited caller only its own part', async () => {
  const readIds = async (path: string, sent: Sent = {}) => {
    const { json } = await send('GET', path, undefined, sent);
    return { ids: (json.items ?? json.data).map(({ id }: { id: string }) => id), total: json.total };
  };
  assert.deepEqual(await readIds('/v1/agents'), { ids: [inside.id], total: 1 });
  assert.deepEqual(await readIds('/v1/tools'), { ids: [tools.inside], total: 1 });
  const headers = { 'x-svc-environment': beside.environment_id };
  assert.deepEqual(await readIds('/v1/agents', { token: s.tenant.token, headers }), { ids: [outside.id], total: 1 });
  const { total } = await readIds('/v1/agents', { token: s.tenant.token });
  assert.equal(total, 2);

  const events = (await send('GET', '/v1/audit-events?limit=200')).json.data;
  assert.ok(events.some(({ subject }: { subject: { id: string } }) => subject.id === inside.id));
  assert.ok(events.every((event: { workspace_id: string }) => event.workspace_id === s.tenant.workspace_id));
  const all = await mustCall(s.planes.controlUrl, 'GET', `/v1/audit-events?subject_id=${outside.id}`, { token: s.tenant.token });
  assert.equal((await send('GET', `/v1/audit-events/${all.data[0].id}`)).json.error.code, 'NOT_FOUND');
});

test('a key of the workspace may do there what its role permits, without a step-up', async () => {
  const done = await send('POST', `/v1/agents/${inside.id}/pause`, {});
  assert.deepEqual([done.status, done.json.status], [200, 'PAUSED']);
  assert.equal((await send('POST', `/v1/agents/${inside.id}/resume`, {})).status, 200);
  assert.equal((await send('POST', `/v1/tools/${tools.inside}/agents`, { agent_id: inside.id })).status, 201);
  assert.equal((await send('POST', `/v1/agents/${inside.id}/revoke`, { reason })).json.error.code, 'STEP_UP_REQUIRED');
});
