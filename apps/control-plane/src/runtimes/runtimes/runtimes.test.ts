import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, test } from 'node:test';
import { MCP_ENV } from '@svc/testing/agents/mcp-scene.ts';
import { type AutomationServer, startAutomationServer } from '@svc/testing/peers/automation/automation-server.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene({ steppedUp: true, env: MCP_ENV });
const KEY = 'an-api-key-of-the-instance';
const instances: AutomationServer[] = [];

const newInstance = async (): Promise<AutomationServer> => {
  const instance = await startAutomationServer(KEY);
  instances.push(instance);
  return instance;
};

afterEach(async () => {
  await Promise.all(instances.splice(0).map((each) => each.close()));
});

let made = 0;
const newName = (): string => {
  made += 1;
  return `Runtime ${made}`;
};

const register = async (more: Record<string, unknown>, token?: string) => {
  const { workspace_id, environment_id } = s.tenant;
  return s.send('POST', '/v1/runtimes', { name: newName(), kind: 'MCP_CLIENT', workspace_id, environment_id, ...more }, token);
};

const readStatus = async (id: string): Promise<string> => (await s.send('GET', `/v1/runtimes/${id}`)).json.enforcement.status;

const managedFile = (url: string, owner_is_root = true) => ({
  path: '/etc/claude-code/managed-mcp.json',
  scope: 'MANAGED',
  owner_is_root,
  content: JSON.stringify({ mcpServers: { gateway: { type: 'http', url } } }),
});

test('registerRuntime stores the key as a credential for its host alone and never returns it', async () => {
  const instance = await newInstance();
  const { status, json, text } = await register({ kind: 'WORKFLOW_AUTOMATION', base_url: instance.url, api_key: KEY });
  assert.equal(status, 201, text);
  assert.deepEqual([json.status, json.enforcement.status, json.fail_closed, json.admin_access], ['ACTIVE', 'UNKNOWN', true, 'READ']);
  const credential = (await s.send('GET', `/v1/credentials/${json.credential_id}`)).json;
  assert.deepEqual(credential.destinations, [new URL(instance.url).host]);
  assert.ok(!JSON.stringify([json, credential, await s.eventsOf(json.id)]).includes(KEY));
});

test('registerRuntime refuses addresses with a path, a query or a user, and members that do not fit the kind', async () => {
  const instance = { kind: 'WORKFLOW_AUTOMATION' };
  for (const [more, pointer] of [
    [{ ...instance, base_url: 'https://one.example.com/path' }, '/base_url'],
    [{ ...instance, base_url: 'https://one.example.com/?a=b' }, '/base_url'],
    [{ ...instance, base_url: 'https://me:secret@one.example.com' }, '/base_url'],
    [{ ...instance, base_url: 'ftp://one.example.com' }, '/base_url'],
    [instance, '/base_url'],
    [{ base_url: 'https://one.example.com' }, '/base_url'],
    [{ product: 'n8n' }, '/product'],
    [{ agent_id: 'agt_00000000000000000000000000' }, '/agent_id'],
    [{ kind: 'WORKFLOW_AUTOMATION_MANAGED', base_url: 'https://one.example.com', admin_access: 'NONE' }, '/admin_access'],
  ] as const) {
    const { status, json } = await register(more);
    assert.deepEqual([status, json.error.details.faults[0].pointer], [400, pointer], JSON.stringify(more));
  }
});

test('testRuntime reports its finding: a healthy instance, a wrong key, another service, or no response', async () => {
  const instance = await newInstance();
  const { json } = await register({ kind: 'WORKFLOW_AUTOMATION', base_url: instance.url, api_key: KEY });
  const path = `/v1/runtimes/${json.id}/test`;
  const healthy = await s.send('POST', path, {});
  assert.deepEqual([healthy.status, healthy.json.health, healthy.json.key.missing], [200, 'HEALTHY', []], healthy.text);
  assert.equal(healthy.json.evidence.find(({ name }: { name: string }) => name === 'REACHED').holds, true);
  instance.scopes = ['workflow:list'];
  assert.equal((await s.send('POST', path, {})).json.health, 'DEGRADED');
  instance.failNext(500, 1);
  assert.equal((await s.send('POST', path, {})).json.health, 'UNREACHABLE');
  const refused = await register({ kind: 'WORKFLOW_AUTOMATION', base_url: instance.url, api_key: 'a-wrong-key' });
  assert.equal((await s.send('POST', `/v1/runtimes/${refused.json.id}/test`, {})).json.health, 'UNAUTHORIZED');
  await instance.close();
  assert.equal((await s.send('POST', path, {})).json.health, 'UNREACHABLE');
});

test('replaceRuntimeApiKey does not store a key that the instance refuses, and the previous key still works', async () => {
  const instance = await newInstance();
  const { json } = await register({ kind: 'WORKFLOW_AUTOMATION', base_url: instance.url, api_key: KEY });
  const wrong = await s.send('PUT', `/v1/runtimes/${json.id}/api-key`, { api_key: 'a-wrong-key' });
  assert.deepEqual([wrong.status, wrong.json.error.code], [422, 'UNPROCESSABLE']);
  assert.equal((await s.send('POST', `/v1/runtimes/${json.id}/test`, {})).json.health, 'HEALTHY');
});

test('updateRuntime sends no key to another address, and voids the evidence', async () => {
  const [one, two] = [await newInstance(), await newInstance()];
  const { json } = await register({ kind: 'WORKFLOW_AUTOMATION', base_url: one.url, api_key: KEY });
  const moved = await s.send('PATCH', `/v1/runtimes/${json.id}`, { base_url: two.url });
  assert.deepEqual([moved.json.credential_id, moved.json.connection.health], [null, 'UNKNOWN'], moved.text);
  await s.send('POST', `/v1/runtimes/${json.id}/test`, {});
  assert.ok(two.requests.every(({ key }) => key === undefined));
});

test('updateRuntime requires a step-up to weaken enforcement, and none to strengthen it', async () => {
  const key = await s.send('POST', '/v1/api-keys', { name: newName(), role_id: 'rol_00000000000000000000000002' });
  const { json } = await register({ settings: { required_enforcement: 'PARTIAL' } });
  const patch = (body: object) => s.send('PATCH', `/v1/runtimes/${json.id}`, body, key.json.token);
  assert.equal((await patch({ settings: { required_enforcement: 'ENFORCED' } })).status, 200);
  for (const body of [
    { fail_closed: false },
    { admin_access: 'OPERATE' },
    { settings: {} },
    { settings: { allowed_hosts: ['a.example'] } },
  ])
    assert.equal((await patch(body)).json.error.code, 'STEP_UP_REQUIRED', JSON.stringify(body));
});

test('reportRuntime: a managed file of the administrator with only the gateway is PARTIAL, one of a user is DETECTED, a direct server BYPASSED', async () => {
  const { json } = await register({ product: 'claude-code' });
  const report = (files: object[]) => s.send('POST', `/v1/runtimes/${json.id}/reports`, { files });
  const gateway = `${s.planes.gatewayUrl}/gateway/v1/mcp`;
  const good = await report([managedFile(gateway)]);
  assert.equal(good.status, 201, good.text);
  assert.equal(await readStatus(json.id), 'PARTIAL');
  await report([managedFile(gateway, false)]);
  assert.equal(await readStatus(json.id), 'DETECTED');
  const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123';
  const content = `{
    // a comment
    "mcpServers": { "gh": { "command": "npx", "args": ["-y", "server-github"], "env": { "GITHUB_TOKEN": "${secret}" } }, },
  }`;
  await report([managedFile(gateway), { path: '/project/.mcp.json', content }]);
  assert.equal(await readStatus(json.id), 'BYPASSED');
  const { data } = (await s.send('GET', `/v1/runtime-findings?runtime_id=${json.id}&status=OPEN`)).json;
  const kinds = data.map(({ kind }: { kind: string }) => kind).toSorted();
  assert.deepEqual(kinds, ['MCP_PACKAGE_UNPINNED', 'MCP_SECRET_IN_FILE', 'MCP_SERVER_DIRECT']);
  const { rows } = await s.owner.query('select body::text from runtime_reports where runtime_id = $1', [json.id]);
  assert.ok(!JSON.stringify([rows, data]).includes(secret));
  await report([{ path: '/project/.mcp.json', content: '{}' }]);
  assert.equal(await readStatus(json.id), 'PARTIAL');
});

test('acceptRuntimeFinding lowers BYPASSED to at most PARTIAL; a change or withdrawRuntimeFindingAcceptance opens it in listRuntimeFindings', async () => {
  const { json } = await register({});
  const report = (url: string) =>
    s.send('POST', `/v1/runtimes/${json.id}/reports`, {
      files: [
        managedFile(`${s.planes.gatewayUrl}/gateway/v1/mcp`),
        { path: '/a', content: JSON.stringify({ mcpServers: { one: { url } } }) },
      ],
    });
  await report('https://one.example.com/mcp');
  const find = async () => (await s.send('GET', `/v1/runtime-findings?runtime_id=${json.id}&kind=MCP_SERVER_DIRECT`)).json.data[0];
  const { id } = await find();
  const accepted = await s.send('POST', `/v1/runtime-findings/${id}/accept`, { reason: 'known', expires_in_days: 30 });
  assert.deepEqual([accepted.status, accepted.json.status], [200, 'ACCEPTED'], accepted.text);
  assert.equal(await readStatus(json.id), 'PARTIAL');
  await report('https://one.example.com/mcp');
  assert.equal((await find()).status, 'ACCEPTED');
  await report('https://two.example.com/mcp');
  const changed = await find();
  assert.deepEqual([changed.status, changed.acceptance.ended_because], ['OPEN', 'CHANGED']);
  assert.equal(await readStatus(json.id), 'BYPASSED');
  await s.send('POST', `/v1/runtime-findings/${id}/accept`, { reason: 'known' });
  const withdrawn = await s.send('DELETE', `/v1/runtime-findings/${id}/acceptance`);
  assert.deepEqual([withdrawn.json.status, withdrawn.json.acceptance.ended_because], ['OPEN', 'WITHDRAWN']);
});

test('acceptRuntimeFinding: an acceptance that expires opens the finding, and an API key cannot accept a risk', async () => {
  const { json } = await register({});
  const report = () =>
    s.send('POST', `/v1/runtimes/${json.id}/reports`, {
      files: [{ path: '/a', content: JSON.stringify({ mcpServers: { one: { url: 'https://one.example.com/mcp' } } }) }],
    });
  await report();
  const find = async () => (await s.send('GET', `/v1/runtime-findings?runtime_id=${json.id}&kind=MCP_SERVER_DIRECT`)).json.data[0];
  const { id } = await find();
  const key = await s.send('POST', '/v1/api-keys', { name: newName(), role_id: 'rol_00000000000000000000000002' });
  const byKey = await s.send('POST', `/v1/runtime-findings/${id}/accept`, { reason: 'known' }, key.json.token);
  assert.equal(byKey.json.error.code, 'STEP_UP_REQUIRED', byKey.text);
  await s.send('POST', `/v1/runtime-findings/${id}/accept`, { reason: 'known', expires_in_days: 1 });
  await s.owner.query("update runtime_findings set accepted_until = now() - interval '1 second' where id = $1", [id]);
  await report();
  const expired = await find();
  assert.deepEqual([expired.status, expired.acceptance.ended_because], ['OPEN', 'EXPIRED']);
});

test('testRuntime: a redirect is not followed with the key, and addresses inside the host are not called', async () => {
  const [one, two] = [await newInstance(), await newInstance()];
  const moved = createServer((request, response) => {
    response.writeHead(302, { location: `${two.url}${request.url}` }).end();
  });
  await new Promise<void>((resolve) => moved.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(moved.address() as AddressInfo).port}`;
  for (const base_url of [url, 'http://169.254.169.254', 'http://[::1]:9']) {
    const { json } = await register({ kind: 'WORKFLOW_AUTOMATION', base_url, api_key: KEY });
    if (json.id === undefined) continue;
    const { json: tested } = await s.send('POST', `/v1/runtimes/${json.id}/test`, {});
    assert.equal(tested.health, 'UNREACHABLE', base_url);
  }
  assert.deepEqual([...one.requests, ...two.requests], []);
  moved.closeAllConnections();
  await new Promise((resolve) => moved.close(resolve));
});

test('an API platform: routes around the service, fail-open and disabled authorization are found', async () => {
  const { json } = await register({ kind: 'API_PLATFORM', product: 'nginx' });
  const content = `
    server {
      location /guarded { auth_request /authz; proxy_pass http://upstream; }
      location /open { proxy_pass http://upstream; }
      location /off { auth_request off; proxy_pass http://upstream; }
      location /soft { auth_request /authz; error_page 401 =200 /fine; proxy_pass http://upstream; }
      location = /authz { internal; proxy_pass http://gateway; }
    }`;
  await s.send('POST', `/v1/runtimes/${json.id}/reports`, { files: [{ path: 'nginx.conf', content }] });
  const { data } = (await s.send('GET', `/v1/runtime-findings?runtime_id=${json.id}`)).json;
  assert.deepEqual(data.map(({ kind, severity }: { kind: string; severity: string }) => `${kind} ${severity}`).toSorted(), [
    'AUTHZ_DISABLED_ON_ROUTE HIGH',
    'AUTHZ_FAIL_OPEN CRITICAL',
    'ROUTE_AROUND HIGH',
  ]);
  await s.send('POST', `/v1/runtimes/${json.id}/reports`, {
    files: [{ path: 'nginx.conf', content: 'server { auth_request /a; location / { proxy_pass http://u; } }' }],
  });
  assert.equal(await readStatus(json.id), 'PARTIAL');
});

test('operateRuntime and disconnectRuntime move between statuses, and verifyRuntime refuses a disconnected runtime', async () => {
  const { json } = await register({});
  const operate = (operation: string) => s.send('POST', `/v1/runtimes/${json.id}/operate`, { operation, reason: 'test' });
  assert.equal((await operate('PAUSE')).json.runtime.status, 'PAUSED');
  assert.deepEqual((await operate('PAUSE')).json.error.details.allowed_from, ['ACTIVE']);
  const recovering = await operate('RECOVER');
  assert.deepEqual(
    [recovering.json.runtime.status, recovering.json.gateway, recovering.json.run.trigger],
    ['RECOVERING', 'STOPPED', 'RECOVER'],
  );
  const disconnected = await s.send('POST', `/v1/runtimes/${json.id}/disconnect`, {});
  assert.deepEqual([disconnected.json.runtime.status, disconnected.json.runtime.enforcement.status], ['DISCONNECTED', 'UNKNOWN']);
  assert.equal((await s.send('POST', `/v1/runtimes/${json.id}/verify`, {})).json.error.code, 'INVALID_STATE_TRANSITION');
});

test('getRuntimePosture, getRuntimeEnforcement, listRuntimeRuns, listRuntimeCapabilities and getRuntimeBundle agree on a runtime', async () => {
  const { json } = await register({});
  await s.send('POST', `/v1/runtimes/${json.id}/reports`, { files: [managedFile(`${s.planes.gatewayUrl}/gateway/v1/mcp`)] });
  const enforcement = (await s.send('GET', `/v1/runtimes/${json.id}/enforcement`)).json;
  assert.deepEqual(
    [enforcement.latest.status, enforcement.latest.ceiling, enforcement.history[0].cause],
    ['PARTIAL', 'PARTIAL', 'VERIFIED'],
  );
  assert.deepEqual(
    enforcement.latest.forecast.map(({ status }: { status: string }) => status),
    ['PARTIAL', 'UNKNOWN'],
  );
  const posture = (await s.send('GET', '/v1/runtimes/posture')).json;
  assert.ok(posture.counts.PARTIAL >= 1);
  assert.ok(
    posture.changes_24h.some(({ runtime_id, to }: { runtime_id: string; to: string }) => runtime_id === json.id && to === 'PARTIAL'),
  );
  const [run] = (await s.send('GET', `/v1/runtimes/${json.id}/runs`)).json.data;
  const [withEvidence] = (await s.send('GET', `/v1/runtimes/${json.id}/runs?run_id=${run.id}`)).json.data;
  assert.deepEqual([withEvidence.state, withEvidence.evidence.length], ['COMPLETED', 2]);
  assert.match(withEvidence.evidence_root, /^[0-9a-f]{64}$/);
  assert.equal((await s.send('GET', '/v1/runtimes/capabilities')).json.length, 5);
  const managed = await register({ kind: 'WORKFLOW_AUTOMATION_MANAGED', base_url: 'https://one.example.com' });
  const bundle = (await s.send('GET', `/v1/runtimes/${managed.json.id}/bundle`)).json;
  assert.ok(bundle.files.some(({ path }: { path: string }) => path === 'n8n.env'));
  assert.equal((await s.send('GET', `/v1/runtimes/${json.id}/bundle`)).json.error.code, 'UNPROCESSABLE');
});

test('listRuntimes filters, getRuntime shows one, listRuntimeWorkflows and getRuntimeWorkflow have nothing before a verification', async () => {
  const { json } = await register({});
  const ids = async (query: string) =>
    (await s.send('GET', `/v1/runtimes?limit=200&${query}`)).json.items.map(({ id }: { id: string }) => id);
  assert.ok((await ids('enforcement=UNKNOWN&status=ACTIVE&kind=MCP_CLIENT')).includes(json.id));
  assert.ok(!(await ids('enforcement=PARTIAL')).includes(json.id));
  assert.equal((await s.send('GET', `/v1/runtimes/${json.id}`)).json.id, json.id);
  assert.deepEqual((await s.send('GET', `/v1/runtimes/${json.id}/workflows`)).json, { items: [], total: 0 });
  assert.equal((await s.send('GET', `/v1/runtimes/${json.id}/workflows/none`)).status, 404);
});
