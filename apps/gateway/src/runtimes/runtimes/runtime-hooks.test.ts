import assert from 'node:assert/strict';
import { createPublicKey, hash, verify } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, type TestContext, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { startHook } from '@svc/testing/agents/start-hook.ts';
import { call } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

const LOCAL = { nodes: [{ name: 'a', type: 'n8n-nodes-base.webhook', parameters: {} }], connections: {}, id: 'w1' };
const DIRECT = { nodes: [{ name: 'a', type: 'n8n-nodes-base.httpRequest', parameters: {} }], connections: {}, id: 'w2' };
const START = { event: 'workflow.preExecute', workflow_id: 'w1', node_types: ['n8n-nodes-base.webhook'] };

let planes: Planes;
before(async () => {
  planes = await leasePlanes();
});
after(() => planes?.stop());

let made = 0;
const register = async ({ owner, tenant, agent }: Governed, more: { kind?: string; agent_id?: null } = {}): Promise<string> => {
  made += 1;
  const { workspace_id, environment_id } = tenant;
  const body = { name: `Managed ${made}`, kind: 'WORKFLOW_AUTOMATION_MANAGED', workspace_id, environment_id, agent_id: agent.id };
  const connected = more.kind === undefined ? { base_url: 'https://automation.service.example' } : {};
  const { status, json, text } = await owner('POST', '/v1/runtimes', { ...body, ...connected, ...more });
  assert.equal(status, 201, text);
  return json.id;
};

const readHook = async (t: TestContext, { tenant, agent }: Governed, id: string, more = {}) => {
  const hook = await startHook(tenant, id, agent, more);
  t.after(hook.stop);
  return hook;
};

const readEvents = async ({ owner }: Governed): Promise<{ type: string; data: { workflow_id: string; types: string[] } }[]> =>
  (await owner('GET', '/v1/audit-events?type=security.destination_blocked')).json.data;

test('the hook file starts a workflow of allowed nodes, and refuses others, inline ones and foreign credentials', async (t) => {
  const governed = await newGoverned(planes);
  const hook = await readHook(t, governed, await register(governed));
  assert.equal(await hook.ask('workflow.preExecute', LOCAL), undefined);
  assert.match((await hook.ask('workflow.preExecute', DIRECT)) ?? '', /403/);
  assert.match((await hook.ask('workflow.preExecute', { ...DIRECT, id: undefined, name: undefined })) ?? '', /403/);
  // The product passes nodes by name while it runs.
  assert.match((await hook.ask('workflow.preExecute', { ...DIRECT, nodes: { a: DIRECT.nodes[0] } })) ?? '', /403/);
  assert.equal(await hook.ask('workflow.create', DIRECT), undefined);
  assert.equal(await hook.ask('credentials.create', { type: 'svcAgentApi' }), undefined);
  assert.match((await hook.ask('credentials.create', { type: 'slackApi' })) ?? '', /403/);
});

test('askRuntimeHook writes one event of a refused workflow in an hour', async () => {
  const governed = await newGoverned(planes);
  const id = await register(governed);
  const body = { ...START, workflow_id: 'w2', node_types: ['n8n-nodes-base.httpRequest', 'n8n-nodes-base.webhook'] };
  const ask = () => call(planes.gatewayUrl, 'POST', `/gateway/v1/runtimes/${id}/ask`, { token: governed.token, body });
  for (let times = 0; times < 3; times += 1) assert.equal((await ask()).json.error.code, 'DESTINATION_BLOCKED');
  assert.deepEqual(
    (await readEvents(governed)).map(({ data }) => [data.workflow_id, data.types]),
    [['w2', ['n8n-nodes-base.httpRequest']]],
  );
});

test('the hook file throws when the gateway is gone, answers late, or answers something else', async (t) => {
  const governed = await newGoverned(planes);
  const id = await register(governed);
  const gone = await readHook(t, governed, id, { SVC_GATEWAY_URL: 'http://127.0.0.1:9' });
  assert.ok(await gone.ask('workflow.preExecute', LOCAL));
  let delayMs = 0;
  let permitted: unknown = true;
  const answers = (path: string): object => {
    if (path.endsWith('svc-platform-key')) return { audience: 'x' };
    return path.endsWith('/token') ? { data: { token: 't', expires_in: 600 } } : { permitted, cache_seconds: 0 };
  };
  const other = createServer((request, response) => {
    setTimeout(() => response.end(JSON.stringify(answers(request.url ?? ''))), request.url?.endsWith('/ask') ? delayMs : 0);
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    other.closeAllConnections();
    other.close();
  });
  const hook = await readHook(t, governed, id, { SVC_GATEWAY_URL: `http://127.0.0.1:${(other.address() as AddressInfo).port}` });
  assert.equal(await hook.ask('workflow.preExecute', LOCAL), undefined);
  delayMs = 2_500;
  assert.match((await hook.ask('workflow.preExecute', LOCAL)) ?? '', /timeout|aborted/i);
  delayMs = 0;
  permitted = 'yes';
  assert.match((await hook.ask('workflow.preExecute', LOCAL)) ?? '', /does not permit/);
  permitted = true;
  const endless: Record<string, unknown> = { ...LOCAL.nodes[0] };
  endless.parameters = Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`p${at}`, at]));
  assert.match((await hook.ask('workflow.preExecute', { ...LOCAL, nodes: [endless] })) ?? '', /too large/);
});

test('a paused runtime starts nothing, and the runtime of another agent or tenant, or of another kind, is not found', async () => {
  const governed = await newGoverned(planes);
  const id = await register(governed);
  const askAs = (token: string, runtimeId: string, word = 'ask', body: object = START) =>
    call(planes.gatewayUrl, 'POST', `/gateway/v1/runtimes/${runtimeId}/${word}`, { token, body });
  assert.equal((await askAs(governed.token, id)).status, 200);
  const other = await newGoverned(planes);
  const heartbeat = { process_id: 'process-1', hook_sha256: '0'.repeat(64), levers: {} };
  for (const [word, body] of [
    ['ask', START],
    ['heartbeat', heartbeat],
  ] as const) {
    assert.equal((await askAs(other.token, id, word, body)).json.error.code, 'NOT_FOUND');
    const client = await register(governed, { kind: 'MCP_CLIENT' });
    assert.equal((await askAs(governed.token, client, word, body)).json.error.code, 'NOT_FOUND');
    const unbound = await register(governed, { agent_id: null });
    assert.equal((await askAs(governed.token, unbound, word, body)).json.error.code, 'NOT_FOUND');
  }
  await governed.owner('POST', `/v1/runtimes/${id}/operate`, { operation: 'PAUSE', reason: 'test' });
  const { error } = (await askAs(governed.token, id)).json;
  assert.deepEqual([error.code, error.details.runtime_status], ['AGENT_NOT_OPERATIONAL', 'PAUSED']);
});

test('reportRuntimeHeartbeat keeps the newest heartbeat of each process, and no more than twenty', async () => {
  const governed = await newGoverned(planes);
  const id = await register(governed);
  const body = { hook_sha256: '0'.repeat(64), levers: { NODES_INCLUDE: null } };
  const beat = async (process_id: string) => {
    const path = `/gateway/v1/runtimes/${id}/heartbeat`;
    const { status, text } = await call(planes.gatewayUrl, 'POST', path, { token: governed.token, body: { ...body, process_id } });
    assert.equal(status, 200, text);
  };
  for (let at = 0; at < 25; at += 1) await beat(`process-${at}`);
  await beat('process-24');
  const client = await planes.database.client();
  const { rows } = await client.query('select process_id from runtime_heartbeats where runtime_id = $1 order by at', [id]);
  await client.end();
  assert.equal(rows.length, 20);
  assert.equal(rows.at(-1)?.process_id, 'process-24');
});

test('reportRuntimeHeartbeat proves a process only by the nonce of the last response and the hook file', async () => {
  const governed = await newGoverned(planes);
  const id = await register(governed);
  const { files } = (await governed.owner('GET', `/v1/runtimes/${id}/bundle`)).json;
  const hookFile = files.find(({ path }: { path: string }) => path === 'hook.cjs').content;
  const client = await planes.database.client();
  const beat = async (more: object = {}): Promise<{ nonce: string; proven: boolean | null }> => {
    const body = { process_id: 'process-1', hook_sha256: '0'.repeat(64), levers: {}, ...more };
    const { json } = await call(planes.gatewayUrl, 'POST', `/gateway/v1/runtimes/${id}/heartbeat`, { token: governed.token, body });
    const { rows } = await client.query('select proven from runtime_heartbeats where runtime_id = $1', [id]);
    return { nonce: json.nonce, proven: rows[0].proven };
  };
  const prove = (nonce: string, file = hookFile) => ({ nonce, hook_proof: hash('sha256', nonce + file, 'hex') });
  try {
    const first = await beat(prove('0'.repeat(32)));
    assert.deepEqual([first.proven, first.nonce.length], [null, 32]);
    const second = await beat(prove(first.nonce));
    assert.equal(second.proven, true);
    // The response may not have arrived.
    const third = await beat(prove(first.nonce));
    assert.equal(third.proven, true);
    assert.equal((await beat(prove(first.nonce))).proven, false);
    const fifth = await beat(prove(third.nonce, `${hookFile}// changed`));
    assert.equal(fifth.proven, false);
    assert.equal((await beat()).proven, false);
  } finally {
    await client.end();
  }
});

test('getRuntimeBundle: the manifest is verified offline with the published key, and lists every file', async () => {
  const governed = await newGoverned(planes);
  const id = await register(governed);
  const { manifest, files, hash } = (await governed.owner('GET', `/v1/runtimes/${id}/bundle`)).json;
  const again = (await governed.owner('GET', `/v1/runtimes/${id}/bundle`)).json;
  assert.deepEqual([again.hash, again.manifest], [hash, manifest]);
  const { keys } = (await call(planes.gatewayUrl, 'GET', '/.well-known/svc-platform-key', {})).json;
  const [header, payload, signature] = manifest.split('.');
  const { kid, typ } = JSON.parse(Buffer.from(header, 'base64url').toString());
  const { jwk } = keys.find(({ key_id }: { key_id: string }) => key_id === kid);
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const isSigned = (text: string) => verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'));
  assert.deepEqual([typ, isSigned(`${header}.${payload}`), isSigned(`${header}.${payload}x`)], ['svc-bundle+jws', true, false]);
  const stated = JSON.parse(Buffer.from(payload, 'base64url').toString());
  assert.deepEqual([stated.runtime_id, stated.hash], [id, hash]);
  const listed = files.map(({ path, sha256, mode }: Record<string, string>) => ({ path, sha256, mode }));
  assert.deepEqual(stated.files, listed);
});
