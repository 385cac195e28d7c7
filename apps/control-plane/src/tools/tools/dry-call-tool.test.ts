import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { activateRules, type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { newCredential } from '@svc/testing/agents/new-credential.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';

const SECRET = 'canary-secret-0123456789';
let planes: Planes;
let governed: Governed;
let database: pg.Client;
let connections = 0;
const server = createServer((_request, response) => response.end('{}')).on('connection', () => {
  connections += 1;
});

before(async () => {
  planes = await leasePlanes();
  governed = await newGoverned(planes);
  database = await planes.database.client();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
});
after(async () => {
  server.close();
  await database.end();
  await planes.stop();
});

let made = 0;
const newTool = async (execution: object, more: object = {}, credential: object | null = null): Promise<{ id: string; name: string }> => {
  const { token, environment_id, controlUrl } = governed.tenant;
  made += 1;
  const name = `tool-${made}`;
  const proved =
    credential && (await newCredential(governed.tenant, { tools: [name], destinations: ['*.example.com'], secret: SECRET, ...credential }));
  const called = {
    method: 'POST',
    url: 'https://api.example.com/v1',
    ...execution,
    ...(proved ? { credential_id: proved.credentialId } : {}),
  };
  const declared = {
    name,
    environment_id,
    required_capability: 'pay',
    kind: 'HTTP',
    destination_allowlist: ['*.example.com'],
    execution: called,
  };
  const tool = await mustCall(controlUrl, 'POST', '/v1/tools', { token, body: { ...declared, ...more } });
  await newControlClient(controlUrl, token).authorizeAgentForTool({ params: { toolId: tool.id }, body: { agent_id: governed.agent.id } });
  return tool;
};
const dryCall = (id: string, body: object = {}) => governed.owner('POST', `/v1/tools/${id}/dry-call`, body);

test('shows the call as it would be sent: parameters in their positions, the headers of the service, and the position of the action id', async () => {
  const execution = {
    url: 'https://api.example.com/v1/{order}',
    query: { q: '{note}' },
    headers: { 'X-Kind': 'refund' },
    body: { amount: '{amount}' },
    idempotency: {},
    decision_header: 'X-Decision-Id',
  };
  const { id } = await newTool(execution);
  const { status, json, text } = await dryCall(id, { parameters: { order: 'a/b', note: 'x&y', amount: 5 } });
  assert.equal(status, 200, text);
  const { headers, ...request } = json.request;
  assert.deepEqual(request, { method: 'POST', url: 'https://api.example.com/v1/a%2Fb?q=x%26y', body: '{"amount":5}' });
  assert.deepEqual(
    [headers['x-kind'], headers['content-type'], headers['idempotency-key'], headers['x-decision-id'], headers.host],
    ['refund', 'application/json', '{action_id}', '{action_id}', 'api.example.com'],
  );
  assert.deepEqual(
    [json.destination, json.stopped_by, json.credential, json.decision],
    [{ host: 'api.example.com', port: 443, allowed: true, address: 'LOOKED_UP_WHEN_CALLED' }, [], null, null],
  );
});

test('shows where each kind of credential would be, with a placeholder that does not reveal the length of the secret', async () => {
  const cases: [object, string, RegExp][] = [
    [{ scheme: 'BEARER' }, 'header authorization', /"authorization":"Bearer \*\*\*"/],
    [{ scheme: 'BASIC', placement: { username: 'me' } }, 'header authorization', /"authorization":"Basic \*\*\*"/],
    [{ scheme: 'HEADER', placement: { header: 'X-Api-Key', prefix: 'Key' } }, 'header x-api-key', /"x-api-key":"Key \*\*\*"/],
    [{ scheme: 'QUERY', placement: { parameter: 'api_key' } }, 'query api_key', /\?api_key=\*\*\*/],
    [{ scheme: 'BODY_FIELD', placement: { field: 'auth' } }, 'body auth', /\\"auth\\":\\"\*\*\*\\"/],
  ];
  for (const [credential, place, shown] of cases) {
    const { id } = await newTool({}, {}, credential);
    const { json, text } = await dryCall(id, { parameters: { a: 1 } });
    assert.deepEqual([json.credential.place, json.credential.usable, json.stopped_by], [place, true, []], text);
    assert.match(text, shown);
    assert.ok(!text.includes(SECRET) && !text.includes(btoa(`me:${SECRET}`)) && !text.includes('content-length'), text);
  }
});

test('reports everything known that would prevent the call: tool, destination, address, and credential', async () => {
  const { port } = server.address() as AddressInfo;
  const url = `http://{host}:${port}/`;
  const { id, name } = await newTool({ url }, { destination_allowlist: [`127.0.0.1:${port}`] }, { scheme: 'BEARER' });
  const inside = await dryCall(id, { parameters: { host: '127.0.0.1' } });
  assert.deepEqual(inside.json.destination, { host: '127.0.0.1', port, allowed: false, address: 'FORBIDDEN' });
  assert.equal(inside.json.credential.usable, false);
  assert.match(inside.json.stopped_by.join(' '), /without TLS/);
  assert.equal(inside.json.stopped_by.length, 3, inside.text);
  const { execution } = (await governed.owner('GET', `/v1/tools/${id}`)).json;
  await governed.owner('POST', `/v1/credentials/${execution.credential_id}/revoke`, { reason: 'Over.' });
  await governed.owner('POST', `/v1/tools/${id}/disable`, { reason: 'Stopped.' });
  const all = (await dryCall(id, { parameters: { host: '169.254.169.254' } })).json.stopped_by.join('\n');
  for (const sentence of [`${name} is disabled`, 'not among the destinations', 'is revoked', 'private or reserved'])
    assert.ok(all.includes(sentence), all);
  assert.equal(connections, 0);
});

test('with an agent it returns the decision and hides masked parts, without recording anything', async () => {
  const { id, name } = await newTool({});
  const rule = {
    id: 'hide',
    effect: 'MASK',
    reason: 'Hidden.',
    when: { field: 'tool.name', op: 'eq', value: name },
    mask: { parameters: ['card'] },
  };
  const cases = [{ name: 'masked', given: { 'tool.name': name }, then: { effect: 'MASK' } }];
  await activateRules(governed.tenant, `mask ${name}`, [rule, { id: 'allow', effect: 'ALLOW', reason: 'Fine.' }], cases);
  const counted = async () => {
    const asked =
      "select (select count(*) from actions where organization_id = $1) as actions, (select count(*) from audit_events where organization_id = $1 and type like 'action.%') as events";
    return (await database.query(asked, [governed.tenant.organization_id])).rows;
  };
  const before_ = await counted();
  const { json, text } = await dryCall(id, { agent_id: governed.agent.id, parameters: { card: '4111', a: 1 } });
  assert.deepEqual([json.decision.decision, json.decision.action_id, json.request.body], ['MASK', null, '{"card":"[masked]","a":1}'], text);
  const unarmed = await newTool({}, { required_capability: 'other' });
  const refused = await dryCall(unarmed.id, { agent_id: governed.agent.id });
  assert.deepEqual(
    [refused.status, refused.json.decision.code, refused.json.stopped_by.length],
    [200, 'CAPABILITY_NOT_GRANTED', 1],
    refused.text,
  );
  assert.deepEqual(await counted(), before_);
});

test('refuses invalid parameters, a tool that agents call themselves, and an unknown agent, each with its pointer', async () => {
  const { id } = await newTool({}, { parameters_schema: { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] } });
  const unfit = await dryCall(id, { parameters: { a: 'x' } });
  assert.deepEqual([unfit.status, unfit.json.error.details.faults[0].pointer], [400, '/parameters/a']);
  const big = await dryCall(id, { parameters: { a: 1, b: 'x'.repeat(65_536) } });
  assert.deepEqual([big.status, big.json.error.details.faults[0].pointer], [400, '/parameters']);
  assert.equal((await dryCall(governed.tool.id)).json.error.code, 'UNPROCESSABLE');
  assert.equal((await dryCall(id, { agent_id: 'agt_01ARZ3NDEKTSV4RRFFQ69G5FAV', parameters: { a: 1 } })).json.error.code, 'NOT_FOUND');
  assert.equal((await dryCall('tool_01ARZ3NDEKTSV4RRFFQ69G5FAV')).json.error.code, 'NOT_FOUND');
});
