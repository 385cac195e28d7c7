import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { newTenant } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene();

const createWorkspace = (body: unknown, headers: Record<string, string> = {}, token = s.tenant.token) =>
  call(s.planes.controlUrl, 'POST', '/v1/workspaces', { token, body, headers });
const listWorkspaces = async (headers: Record<string, string> = {}) =>
  ((await mustCall(s.planes.controlUrl, 'GET', '/v1/workspaces', { token: s.tenant.token, headers })) as { id: string }[]).map(
    ({ id }) => id,
  );

test('a workspace has the given slug, or one derived from its name', async () => {
  const given = await createWorkspace({ name: 'Treasury', slug: 'money-2' });
  assert.deepEqual([given.status, given.json.name, given.json.slug], [201, 'Treasury', 'money-2']);
  assert.equal((await createWorkspace({ name: 'Zürich Office' })).json.slug, 'zurich-office');
  const { rows } = await s.owner.query(
    "select type, workspace_id, data::jsonb - 'record_digests' as data from audit_events where subject_id = $1",
    [given.json.id],
  );
  assert.deepEqual(rows, [
    { type: 'workspace.created', workspace_id: given.json.id, data: { after: { name: 'Treasury', slug: 'money-2' } } },
  ]);
});

test('a name may occur twice, a chosen slug may not', async () => {
  const [first, second] = [await createWorkspace({ name: 'Twice' }), await createWorkspace({ name: 'Twice' })];
  assert.deepEqual([first.status, second.status, first.json.slug], [201, 201, 'twice']);
  assert.match(second.json.slug, /^twice-[0-9a-z]{8}$/);
  const taken = await createWorkspace({ name: 'Another', slug: 'twice' });
  assert.deepEqual([taken.status, taken.json.error.code], [409, 'ALREADY_EXISTS']);
  const other = await newTenant(s.planes);
  assert.equal((await createWorkspace({ name: 'Another', slug: 'twice' }, {}, other.token)).status, 201);
});

test('a malformed slug is refused with its pointer', async () => {
  for (const slug of ['Big', '-a', 'a-', 'a_b', '', 'a'.repeat(64), 'ä']) {
    const { status, json } = await createWorkspace({ name: 'X', slug });
    assert.deepEqual([status, json.error.details.faults[0].pointer], [400, '/slug'], slug);
  }
});

test('text that the database cannot store is refused with its pointer, and names nothing in a path', async () => {
  for (const name of ['a\0b', 'half \ud83d']) {
    const { status, json } = await createWorkspace({ name });
    assert.deepEqual([status, json.error.code, json.error.details.faults[0].pointer], [400, 'VALIDATION_FAILED', '/name']);
  }
  const path = await call(s.planes.controlUrl, 'DELETE', '/v1/api-keys/apk_%00', { token: s.tenant.token });
  assert.deepEqual([path.status, path.json.error.code], [404, 'NOT_FOUND']);
});

test('concurrent requests with one slug create one workspace', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => createWorkspace({ name: 'Race', slug: 'race' })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(7).fill(409)]);
});

test('requests with one idempotency key create one workspace, and another key another', async () => {
  const before = await listWorkspaces();
  const key = { 'idempotency-key': 'first' };
  const answers = await Promise.all(Array.from({ length: 6 }, () => createWorkspace({ name: 'Once' }, key)));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
  assert.equal(new Set(answers.map(({ json }) => json.id)).size, 1);
  assert.equal((await createWorkspace({ name: 'Once' }, { 'idempotency-key': 'second' })).status, 201);
  assert.equal((await createWorkspace({ name: 'Other' }, key)).json.error.code, 'IDEMPOTENCY_KEY_REUSED');
  assert.equal((await listWorkspaces()).length, before.length + 2);
});

test('a call limited to one workspace sees that one and creates no other', async () => {
  const only = { 'x-svc-workspace': s.tenant.workspace_id };
  assert.deepEqual(await listWorkspaces(only), [s.tenant.workspace_id]);
  assert.equal((await createWorkspace({ name: 'Beside' }, only)).json.error.code, 'PERMISSION_DENIED');
  const { token } = await newControlClient(s.planes.controlUrl, s.tenant.token).createApiKey({
    body: { name: 'Key', role_id: getBuiltInRole('admin').id, workspace_id: s.tenant.workspace_id },
  });
  assert.equal((await createWorkspace({ name: 'Beside' }, {}, token)).json.error.code, 'PERMISSION_DENIED');
});

test('a workspace of another tenant is not listed and cannot be chosen as scope', async () => {
  const stranger = await newTenant(s.planes);
  assert.ok(!(await listWorkspaces()).includes(stranger.workspace_id));
  const answer = await call(s.planes.controlUrl, 'GET', '/v1/workspaces', {
    token: s.tenant.token,
    headers: { 'x-svc-workspace': stranger.workspace_id },
  });
  assert.deepEqual([answer.status, answer.json.error.code], [403, 'TENANT_MISMATCH']);
});
