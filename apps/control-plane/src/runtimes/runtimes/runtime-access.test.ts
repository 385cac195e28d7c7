import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import { type BuiltInRoleName, getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { MCP_ENV } from '@svc/testing/agents/mcp-scene.ts';
import { type AutomationServer, startAutomationServer } from '@svc/testing/peers/automation/automation-server.ts';
import { getCode } from '@svc/testing/people/client.ts';
import { acceptInvitation, invite } from '@svc/testing/people/invite.ts';
import { newTenant, stepUp } from '@svc/testing/people/tenant.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene({ steppedUp: true, env: MCP_ENV });
const [KEY, NEXT_KEY] = ['a-first-key-of-the-instance', 'the-next-key-of-the-instance'];
const PASSWORD = 'a password of the member 1';
let instance: AutomationServer;
before(async () => {
  instance = await startAutomationServer(KEY);
});
after(() => instance?.close());

let made = 0;
const register = async (more: object = {}): Promise<string> => {
  made += 1;
  const { workspace_id, environment_id } = s.tenant;
  const body = { name: `Runtime ${made}`, kind: 'WORKFLOW_AUTOMATION', workspace_id, environment_id, base_url: instance.url, ...more };
  const { status, json, text } = await s.send('POST', '/v1/runtimes', body);
  assert.equal(status, 201, text);
  return json.id;
};

const join = async (role: BuiltInRoleName, workspace_ids?: readonly string[]): Promise<{ token: string; password: string }> => {
  made += 1;
  const { controlUrl } = s.planes;
  const email = `member-${made}-${s.tenant.organization_id.toLowerCase()}@access.example`;
  const { code } = await invite(s.owner, s.tenant, {
    email,
    role_id: getBuiltInRole(role).id,
    ...(workspace_ids ? { workspace_ids } : {}),
  });
  const { json, text } = await acceptInvitation(controlUrl, code, { name: role, password: PASSWORD });
  assert.ok(json.token, text);
  return { token: json.token, password: PASSWORD };
};

/** Returns the tables that contain a text. */
const findInTables = async (word: string): Promise<string[]> => {
  const { rows } = await s.owner.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and not c.relispartition and n.nspname = 'public'`,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const { rowCount } = await s.owner.query(`select 1 from ${name} t where strpos(t::text, $1) > 0 limit 1`, [word]);
    if (rowCount !== 0) found.push(name);
  }
  return found;
};

test('replaceRuntimeApiKey is for owners and administrators who stepped up, and its key is in no answer, event or table', async () => {
  const id = await register({ api_key: KEY });
  const put = (token?: string) => s.send('PUT', `/v1/runtimes/${id}/api-key`, { api_key: NEXT_KEY, test: false }, token);
  for (const role of ['developer', 'security'] as const) {
    const member = await join(role);
    await stepUp(s.planes.controlUrl, member);
    assert.equal(getCode(await put(member.token)), 'PERMISSION_DENIED', role);
  }
  const admin = await join('admin');
  assert.equal(getCode(await put(admin.token)), 'STEP_UP_REQUIRED');
  await stepUp(s.planes.controlUrl, admin);
  const replaced = await put(admin.token);
  assert.equal(replaced.status, 200, replaced.text);
  const { credential_id } = replaced.json;
  const events = await s.eventsOf(credential_id);
  assert.ok(
    events.some(({ type }) => type === 'credential.rotated'),
    events.map(({ type }) => type).join(),
  );
  const shown = JSON.stringify([
    replaced.json,
    (await s.send('GET', `/v1/credentials/${credential_id}`)).json,
    events,
    await s.eventsOf(id),
  ]);
  assert.ok(!shown.includes(NEXT_KEY));
  assert.deepEqual(await findInTables(NEXT_KEY), []);
});

test('another tenant finds no runtime by any row', async () => {
  const id = await register();
  const other = await newTenant(s.planes);
  await stepUp(s.planes.controlUrl, other);
  const rows = Object.entries(ENDPOINTS).filter(
    ([, { path, plane }]) => path.startsWith('/v1/runtimes/{runtimeId}') && plane === 'control',
  );
  assert.ok(rows.length >= 12, `${rows.length} rows`);
  const bodies: Record<string, object> = {
    replaceRuntimeApiKey: { api_key: 'a-key-of-another-tenant' },
    operateRuntime: { operation: 'PAUSE', reason: 'test' },
    reportRuntime: { files: [{ path: '/a.json', content: '{}' }] },
    updateRuntime: { name: 'Taken over' },
  };
  for (const [name, { method, path }] of rows) {
    const url = path.replace('{runtimeId}', id).replace('{workflowId}', 'w1');
    const answer = await s.send(method, url, method === 'GET' || method === 'DELETE' ? undefined : (bodies[name] ?? {}), other.token);
    assert.deepEqual([answer.status, getCode(answer)], [404, 'NOT_FOUND'], `${name}: ${answer.text}`);
  }
  assert.deepEqual((await s.send('GET', '/v1/runtimes', undefined, other.token)).json, { items: [], total: 0 });
  assert.equal((await s.send('GET', `/v1/runtimes/${id}`)).json.status, 'ACTIVE');
});

test('getRuntimePosture of a member of one workspace counts its runtimes alone', async () => {
  const { json: workspace } = await s.send('POST', '/v1/workspaces', { name: 'Another workspace' });
  const { json: environment } = await s.send('POST', `/v1/environments`, {
    name: 'Its environment',
    type: 'DEVELOPMENT',
    workspace_id: workspace.id,
  });
  const before = (await s.send('GET', '/v1/runtimes/posture')).json;
  await register({ workspace_id: workspace.id, environment_id: environment.id });
  const member = await join('viewer', [workspace.id]);
  const count = async (token?: string): Promise<number> => {
    const { counts } = (await s.send('GET', '/v1/runtimes/posture', undefined, token)).json;
    return Object.values(counts as Record<string, number>).reduce((sum, each) => sum + each, 0);
  };
  assert.equal(await count(member.token), 1);
  assert.ok((await count()) > 1, JSON.stringify(before.counts));
});
