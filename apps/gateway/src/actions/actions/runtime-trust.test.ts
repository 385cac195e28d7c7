import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
before(async () => {
  planes = await leasePlanes();
});
after(() => planes?.stop());

let made = 0;
const bind = async ({ owner, agent, tenant }: Governed, more: object = {}): Promise<string> => {
  made += 1;
  const { workspace_id, environment_id } = tenant;
  const body = { name: `Client ${made}`, kind: 'MCP_CLIENT', workspace_id, environment_id, agent_id: agent.id, ...more };
  return (await owner('POST', '/v1/runtimes', body)).json.id;
};

const report = ({ owner }: Governed, id: string, url: string) =>
  owner('POST', `/v1/runtimes/${id}/reports`, {
    files: [
      {
        ...{ path: '/etc/claude-code/managed-mcp.json', scope: 'MANAGED', owner_is_root: true },
        content: JSON.stringify({ mcpServers: { one: { url } } }),
      },
    ],
  });

const readCode = async (governed: Governed): Promise<string> => {
  const { status, json } = await governed.act({});
  return status === 200 ? 'ALLOWED' : json.error.code;
};

test('an agent is refused after the grace period once the status of its runtime falls, also in OBSERVE, until it is verified again', async () => {
  for (const mode of ['ENFORCE', 'OBSERVE'] as const) {
    const governed = await newGoverned(planes);
    const { environment_id } = governed.tenant;
    await governed.owner('POST', `/v1/environments/${environment_id}/gateway-mode`, { mode, reason: 'test' });
    const id = await bind(governed, { settings: { grace_seconds: 0 } });
    const { json } = await governed.act({});
    assert.equal(json.error.code, 'TRUST_EVIDENCE_INSUFFICIENT', mode);
    assert.deepEqual(
      [json.error.details.runtime_id, json.error.details.enforcement, json.error.details.required],
      [id, 'UNKNOWN', 'DETECTED'],
    );
    await report(governed, id, `${planes.gatewayUrl}/gateway/v1/mcp`);
    assert.equal(await readCode(governed), 'ALLOWED');
    await report(governed, id, 'https://elsewhere.example.com/mcp');
    assert.equal(await readCode(governed), 'TRUST_EVIDENCE_INSUFFICIENT');
  }
});

test('outdated evidence refuses the agent without any job, and fail_closed false allows it', async () => {
  const governed = await newGoverned(planes);
  const id = await bind(governed);
  await report(governed, id, `${planes.gatewayUrl}/gateway/v1/mcp`);
  assert.equal(await readCode(governed), 'ALLOWED');
  const client = await planes.database.client();
  await client.query(
    `update runtimes set enforcement_forecast = '[{"from":"2020-01-01T00:00:00.000Z","status":"PARTIAL"},{"from":"2020-02-01T00:00:00.000Z","status":"UNKNOWN"}]'
      where id = $1`,
    [id],
  );
  assert.equal(await readCode(governed), 'TRUST_EVIDENCE_INSUFFICIENT');
  await client.query('update runtimes set fail_closed = false where id = $1', [id]);
  assert.equal(await readCode(governed), 'ALLOWED');
  await client.query("update runtimes set status = 'PAUSED' where id = $1", [id]);
  const { json } = await governed.act({});
  assert.deepEqual([json.error.code, json.error.details.runtime_status], ['AGENT_NOT_OPERATIONAL', 'PAUSED']);
  await client.end();
});

test('a rule reads the kind and the enforcement status of the runtime', async () => {
  const condition = { field: 'request.runtime_enforcement', op: 'eq', value: 'PARTIAL' };
  const governed = await newGoverned(planes, {
    rules: [{ id: 'verified', effect: 'ALLOW', reason: 'Verified.', when: condition }],
    tests: [{ name: 'verified', given: { 'request.runtime_enforcement': 'PARTIAL' }, then: { effect: 'ALLOW' } }],
  });
  assert.equal(await readCode(governed), 'ACTION_BLOCKED');
  const id = await bind(governed);
  assert.equal(await readCode(governed), 'ACTION_BLOCKED');
  await report(governed, id, `${planes.gatewayUrl}/gateway/v1/mcp`);
  assert.equal(await readCode(governed), 'ALLOWED');
  const { json } = await governed.owner('GET', `/v1/agents/${governed.agent.id}/enforcement`);
  assert.deepEqual([json.status, json.runtimes[0].runtime_id, json.runtimes[0].refuses], ['PARTIAL', id, false]);
});

test('a paused runtime refuses the actions of its agent at once, whether or not its instance obeys', async () => {
  const governed = await newGoverned(planes);
  const id = await bind(governed, { fail_closed: false });
  assert.equal(await readCode(governed), 'ALLOWED');
  await governed.owner('POST', `/v1/runtimes/${id}/operate`, { operation: 'PAUSE', reason: 'test' });
  const { json } = await governed.act({});
  assert.deepEqual(
    [json.error.code, json.error.details.runtime_id, json.error.details.runtime_status],
    ['AGENT_NOT_OPERATIONAL', id, 'PAUSED'],
  );
});
