import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { BUILT_IN_ROLES } from '@svc/contract/tables/built-in-roles.ts';
import { buildId } from '@svc/contract/tables/ids.ts';
import { mintToken, newAgent } from '@svc/testing/agents/agent.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import { waitUntil } from '@svc/testing/time/until.ts';

let planes: Planes;
let other: Governed;
let calls = 0;
const receiver = createServer((_, response) => {
  calls += 1;
  response.setHeader('content-type', 'application/json').end('{}');
});
const getPort = (): number => (receiver.address() as AddressInfo).port;

before(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const env = { GATEWAY_ALLOW_REAL_EGRESS: 'true', SVC_EGRESS_ALLOW_CIDRS: '127.0.0.0/8,::1/128', SVC_EGRESS_TIMEOUT_MS: '5000' };
  planes = await startPlanes({ gateways: 2, env });
  other = await newGoverned(planes);
});
after(async () => {
  await planes.stop();
  receiver.close();
});

const reason = 'An incident';
const getCode = ({ status, json }: TestResponse): string => json?.error?.code ?? String(status);
const control = (of: Governed, name: string, target: string, confirm_blast_radius?: number, more = {}): Promise<TestResponse> =>
  of.owner('POST', `/v1/emergency/${name}`, {
    target,
    reason,
    ...(confirm_blast_radius === undefined ? {} : { confirm_blast_radius }),
    ...more,
  });
const readPreview = async (of: Governed, name: string, target: string) => {
  const { status, json, text } = await of.owner('POST', `/v1/emergency/${name}/preview`, { target });
  assert.equal(status, 200, text);
  return json.blast_radius;
};
const readEvents = async (of: Governed, subjectId: string): Promise<string[]> =>
  (await of.owner('GET', `/v1/audit-events?subject_id=${subjectId}`)).json.data.map(({ type }: { type: string }) => type);

/** Builds an HTTP tool that calls the receiver by a name or address. */
const calling = (host: string) => ({
  kind: 'HTTP',
  destination_allowlist: [`${host}:${getPort()}`],
  execution: { method: 'POST', url: `http://${host}:${getPort()}/` },
});

test('isolates an agent once its number is confirmed, and repeats without a change (previewEmergencyControl, executeEmergencyControl)', async () => {
  const governed = await newGoverned(planes);
  const { id } = governed.agent;
  const { number, unit, named } = await readPreview(governed, 'isolate-agent', id);
  assert.deepEqual([number, unit, named], [1, 'agents', [{ id, name: named[0].name }]]);
  assert.equal(getCode(await control(governed, 'isolate-agent', id)), 'VALIDATION_FAILED');
  for (const wrong of [0, 4, 999_999]) {
    const refused = await control(governed, 'isolate-agent', id, wrong);
    assert.equal(getCode(refused), 'CONFLICT');
    assert.deepEqual([refused.json.error.details.confirmed, refused.json.error.details.now], [wrong, 1]);
  }
  assert.ok(!(await readEvents(governed, id)).includes('agent.isolated'));
  const changed = await control(governed, 'isolate-agent', id, 1);
  assert.equal(changed.json.outcome, 'CHANGED', changed.text);
  assert.deepEqual(changed.json.undo, { method: 'POST', path: `/v1/agents/${id}/resume` });
  const again = await control(governed, 'isolate-agent', id, 1);
  assert.deepEqual([again.status, again.json.outcome], [200, 'UNCHANGED']);
  assert.equal(getCode(await governed.act({})), 'AGENT_ISOLATED');
  const types = await readEvents(governed, id);
  assert.equal(types.filter((type) => type === 'security.emergency_action_executed').length, 1);
});

test('isolateAgent compares a number that is given with what it stops now, and states both in its event', async () => {
  const governed = await newGoverned(planes);
  const { id } = governed.agent;
  const isolate = (confirm_blast_radius: number) => governed.owner('POST', `/v1/agents/${id}/isolate`, { reason, confirm_blast_radius });
  for (const wrong of [0, 4]) {
    const refused = await isolate(wrong);
    assert.equal(getCode(refused), 'CONFLICT', refused.text);
    assert.deepEqual(refused.json.error.details, { confirmed: wrong, now: 1 });
  }
  assert.equal((await governed.act({})).status, 200);
  assert.equal((await isolate(1)).json.status, 'ISOLATED');
  const { data } = (await governed.owner('GET', `/v1/audit-events?type=security.emergency_action_executed&subject_id=${id}`)).json;
  assert.deepEqual([data[0].data.confirmed, data[0].data.actual], [1, 1]);
});

test('one of two concurrent operators changes, and the other finds it done', async () => {
  const governed = await newGoverned(planes);
  const { environment_id } = governed.tenant;
  const answers = await Promise.all(Array.from({ length: 8 }, () => control(governed, 'pause-environment', environment_id, 1)));
  assert.deepEqual(answers.map(({ json }) => json.outcome).toSorted(), ['CHANGED', ...Array.from({ length: 7 }, () => 'UNCHANGED')]);
});

test('refuses a number of agents that grew after the preview, by two registrations at once, and stops none', async () => {
  const governed = await newGoverned(planes);
  const { tenant } = governed;
  const target = tenant.environment_id;
  const { number } = await readPreview(governed, 'pause-environment', target);
  assert.equal(number, 1);
  await Promise.all([newAgent(tenant), newAgent(tenant)]);
  const refused = await control(governed, 'pause-environment', target, number);
  assert.equal(getCode(refused), 'CONFLICT', refused.text);
  assert.deepEqual([refused.json.error.details.confirmed, refused.json.error.details.now], [1, 3]);
  assert.equal((await governed.act({})).status, 200);
  assert.deepEqual(await readEvents(governed, target), ['environment.created']);
  const { number: grown } = await readPreview(governed, 'pause-environment', target);
  assert.equal((await control(governed, 'pause-environment', target, grown)).json.blast_radius.number, 3);
});

test('stops no agent beyond the confirmed number: agents that two transactions register meanwhile are counted', async () => {
  const governed = await newGoverned(planes);
  const { tenant, agent } = governed;
  const target = tenant.environment_id;
  const registering = await Promise.all([planes.database.client(), planes.database.client()]);
  const watching = await planes.database.client();
  for (const client of registering) {
    await client.query('begin');
    await client.query(
      `insert into agents select (jsonb_populate_record(a, jsonb_build_object('id', $2::text, 'name', $2::text))).* from agents a where a.id = $1`,
      [agent.id, buildId('agent', newUlid())],
    );
  }
  const pids = await Promise.all(registering.map(async (client) => (await client.query('select pg_backend_pid() as pid')).rows[0].pid));
  const stopping = control(governed, 'pause-environment', target, 1);
  await waitUntil('the control waits for the registrations', async () => {
    const { rowCount } = await watching.query('select from pg_stat_activity where pg_blocking_pids(pid) && $1::int[]', [pids]);
    return rowCount !== 0;
  });
  for (const client of registering) await client.query('commit');
  const refused = await stopping;
  await Promise.all([...registering, watching].map((client) => client.end()));
  assert.equal(getCode(refused), 'CONFLICT', refused.text);
  assert.deepEqual([refused.json.error.details.confirmed, refused.json.error.details.now], [1, 3]);
  assert.equal((await governed.act({})).status, 200, 'no agent is stopped');
});

test('disables a tool, and ends sessions of agents and members', async () => {
  const governed = await newGoverned(planes);
  const { number, parts } = await readPreview(governed, 'disable-tool', governed.tool.id);
  assert.deepEqual([number, parts.sessions], [1, 1]);
  assert.equal((await control(governed, 'disable-tool', governed.tool.id, 1)).json.outcome, 'CHANGED');
  assert.equal(getCode(await governed.act({})), 'TOOL_DISABLED');
  const ended = await control(governed, 'revoke-sessions', governed.tenant.environment_id, 1);
  assert.equal(ended.json.outcome, 'CHANGED', ended.text);
  assert.equal((await governed.act({}, { gateway: 1 })).status, 401);
  assert.equal(getCode(await control(governed, 'revoke-sessions', governed.tool.id, 1)), 'VALIDATION_FAILED');
});

test('a blocked host is refused at once on both gateways, and called again when the block is lifted (listBlockedDestinations, unblockDestination)', async () => {
  const governed = await newGoverned(planes, { tool: calling('localhost') });
  const tokens = [governed.token, await mintToken(planes.gatewayUrls[1] ?? '', governed.agent)];
  const act = (gateway: number) => governed.act({}, { gateway, token: tokens[gateway] ?? '' });
  for (const gateway of [0, 1]) assert.equal((await act(gateway)).status, 200, (await act(gateway)).text);
  const radius = await readPreview(governed, 'block-destination', 'localhost');
  assert.deepEqual([radius.number, radius.unit, radius.parts.agents], [1, 'tools', 1]);
  let blocking = true;
  const load = Promise.all(
    [0, 1, 0, 1].map(async (gateway) => {
      while (blocking) await act(gateway);
    }),
  );
  const blocked = await control(governed, 'block-destination', 'LOCALHOST.', 1);
  assert.equal(blocked.json.outcome, 'CHANGED', blocked.text);
  const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => act(at % 2)));
  blocking = false;
  await load;
  const before = calls;
  for (const answer of answers) {
    assert.equal(getCode(answer), 'DESTINATION_BLOCKED', answer.text);
    assert.match(answer.json.error.details.blocked_by, /^blk_/);
  }
  await Promise.all([act(0), act(1)]);
  assert.equal(calls, before, 'nothing is called after the block answered');
  const [row] = (await governed.owner('GET', '/v1/emergency/blocked-destinations')).json;
  assert.equal(row.destination, 'localhost');
  assert.equal((await governed.owner('DELETE', `/v1/emergency/blocked-destinations/${row.id}`, { reason })).status, 200);
  assert.equal((await act(1)).status, 200);
});

test('does not call a blocked address under a name that resolves to it', async () => {
  const governed = await newGoverned(planes, { tool: calling('localhost') });
  assert.equal((await governed.act({})).status, 200);
  for (const target of ['127.0.0.0/8', '::1'])
    assert.equal((await control(governed, 'block-destination', target, 0)).json.outcome, 'CHANGED');
  const before = calls;
  const refused = await governed.act({});
  assert.equal(getCode(refused), 'EXECUTION_FAILED', refused.text);
  assert.equal(calls, before);
  const events = await governed.owner('GET', `/v1/audit-events?request_id=${refused.headers.get('x-request-id')}`);
  assert.ok(
    events.json.data.some(({ type }: { type: string }) => type === 'security.destination_blocked'),
    events.text,
  );
});

test('a block with an end time expires, and only blocks have one', async () => {
  const governed = await newGoverned(planes, { tool: { destination_allowlist: ['api.example.com'] } });
  const expires_at = new Date(Date.now() + 2_000).toISOString();
  assert.equal((await control(governed, 'block-destination', '*.example.com', 1, { expires_at })).json.outcome, 'CHANGED');
  const destination = 'api.example.com';
  assert.equal(getCode(await governed.act({ destination })), 'DESTINATION_BLOCKED');
  for (const wrong of ['yesterday', '2020-01-01T00:00:00.000Z'])
    assert.equal(getCode(await control(governed, 'block-destination', 'a.example', 0, { expires_at: wrong })), 'VALIDATION_FAILED');
  assert.equal(getCode(await control(governed, 'isolate-agent', governed.agent.id, 1, { expires_at })), 'VALIDATION_FAILED');
  while (Date.parse(expires_at) + 200 > Date.now()) await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal((await governed.act({ destination })).status, 200);
});

test('rejects API keys, missing step-ups, unknown controls and ids of other organizations', async () => {
  const governed = await newGoverned(planes);
  const { tenant } = governed;
  const { token: key } = await newControlClient(tenant.controlUrl, tenant.token).createApiKey({
    body: { name: 'security', role_id: BUILT_IN_ROLES[2].id },
  });
  const body = { target: governed.agent.id, reason, confirm_blast_radius: 1 };
  const byKey = await call(tenant.controlUrl, 'POST', '/v1/emergency/isolate-agent', { token: key, body });
  assert.equal(getCode(byKey), 'STEP_UP_REQUIRED');
  assert.equal(
    (await call(tenant.controlUrl, 'POST', '/v1/emergency/isolate-agent/preview', { token: key, body: { target: governed.agent.id } }))
      .status,
    200,
  );
  assert.equal(getCode(await control(governed, 'nothing', governed.agent.id, 1)), 'NOT_FOUND');
  const foreign = { 'isolate-agent': other.agent.id, 'pause-environment': other.tenant.environment_id, 'disable-tool': other.tool.id };
  for (const [name, target] of Object.entries(foreign)) {
    assert.equal(getCode(await control(governed, name, target, 1)), 'NOT_FOUND');
    assert.equal(getCode(await governed.owner('POST', `/v1/emergency/${name}/preview`, { target })), 'NOT_FOUND');
  }
  for (const target of [other.agent.id, other.tenant.environment_id, other.tenant.workspace_id, other.tenant.organization_id])
    assert.equal(getCode(await control(governed, 'revoke-sessions', target, 1)), 'NOT_FOUND');
  assert.equal((await other.act({})).status, 200);
});

test('a drill checks everything, changes nothing and writes no security event (listEmergencyControls)', async () => {
  const governed = await newGoverned(planes);
  const { id } = governed.agent;
  assert.equal(getCode(await control(governed, 'isolate-agent', id, 9, { drill: true })), 'CONFLICT');
  const drilled = await control(governed, 'isolate-agent', id, 1, { drill: true });
  assert.deepEqual([drilled.json.outcome, drilled.json.drill], ['UNCHANGED', true]);
  assert.equal((await governed.act({})).status, 200);
  const types = await readEvents(governed, id);
  assert.ok(types.includes('emergency.drill_completed'));
  assert.ok(!types.some((type) => type.startsWith('security.')));
  const controls = (await governed.owner('GET', '/v1/emergency')).json as { control: string; last_drill_at: string | null }[];
  assert.equal(controls.filter(({ last_drill_at }) => last_drill_at !== null).length, 1);
});
