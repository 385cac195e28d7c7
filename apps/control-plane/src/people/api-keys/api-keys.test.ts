import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BuiltInRoleName, getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { call } from '@svc/testing/people/client.ts';
import { newTenant } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const DAY_MS = 86_400_000;

const s = createScene();

type Asked = { readonly role?: BuiltInRoleName; readonly workspace_id?: string; readonly expires_in_days?: number };
const createApiKey = (token: string, { role = 'developer', ...rest }: Asked = {}) =>
  call(s.planes.controlUrl, 'POST', '/v1/api-keys', { token, body: { name: 'Key', role_id: getBuiltInRole(role).id, ...rest } });
const listApiKeys = async (token: string) => await newControlClient(s.planes.controlUrl, token).listApiKeys();
const revokeApiKey = (token: string, id: string) => call(s.planes.controlUrl, 'DELETE', `/v1/api-keys/${id}`, { token });
const isLive = async (token: string) => (await call(s.planes.controlUrl, 'GET', '/v1/auth/session', { token })).status === 200;

const eventsAbout = async (id: string) =>
  (await s.owner.query('select type, actor_id, workspace_id from audit_events where subject_id = $1 order by id', [id])).rows as readonly {
    type: string;
    actor_id: string;
    workspace_id: string | null;
  }[];

test('a key is returned once, stored as a hash, and expires after a year by default', async () => {
  const answer = await createApiKey(s.tenant.token);
  assert.equal(answer.status, 201);
  const { api_key: key, token } = answer.json;
  assert.match(token, /^svc_key_[0-9A-Za-z]{49}$/);
  assert.ok(await isLive(token));
  assert.ok(Math.abs(Date.parse(key.expires_at) - Date.now() - 365 * DAY_MS) < 60_000);
  assert.deepEqual([key.created_by, key.workspace_id, key.last_used_at, key.revoked_at], [s.tenant.user.id, null, null, null]);
  const listed = JSON.stringify(await listApiKeys(s.tenant.token));
  assert.ok(listed.includes(key.id) && !listed.includes(token));
  const everything = await s.owner.query('select k::text as row from api_keys k union all select e::text from audit_events e');
  assert.ok(!JSON.stringify(everything.rows).includes(token));
  assert.deepEqual(await eventsAbout(key.id), [{ type: 'apikey.created', actor_id: s.tenant.user.id, workspace_id: null }]);
});

test('a key lasts 1 to 730 days', async () => {
  const longest = (await createApiKey(s.tenant.token, { expires_in_days: 730 })).json.api_key;
  assert.ok(Math.abs(Date.parse(longest.expires_at) - Date.now() - 730 * DAY_MS) < 60_000);
  for (const days of [731, 0, -1, 1.5]) {
    const { status, json } = await createApiKey(s.tenant.token, { expires_in_days: days });
    assert.deepEqual([status, json.error.details.faults[0].pointer], [400, '/expires_in_days'], String(days));
  }
});

test('a key cannot have more permissions than its creator', async () => {
  const developer = (await createApiKey(s.tenant.token)).json.token;
  const refused = await createApiKey(developer, { role: 'security' });
  assert.deepEqual([refused.status, refused.json.error.code], [403, 'PERMISSION_DENIED']);
  assert.ok(refused.json.error.details.permissions.includes('policy:activate'));
  const admin = (await createApiKey(s.tenant.token, { role: 'admin' })).json.token;
  assert.deepEqual((await createApiKey(admin, { role: 'owner' })).json.error.details, { permissions: ['organization:delete'] });
  assert.equal((await createApiKey(developer, { role: 'viewer' })).status, 201);
  const viewer = (await createApiKey(developer, { role: 'viewer' })).json.token;
  assert.equal((await createApiKey(viewer, { role: 'viewer' })).json.error.code, 'PERMISSION_DENIED');
});

test('a key cannot have the owner role: none is created, and an older one is refused with the reason', async () => {
  const refused = await createApiKey(s.tenant.token, { role: 'owner' });
  assert.deepEqual([refused.status, refused.json.error.details?.faults?.[0]?.pointer], [400, '/role_id'], refused.text);
  const { api_key: key, token } = (await createApiKey(s.tenant.token, { role: 'admin' })).json;
  await s.owner.query('update api_keys set role_id = $2 where id = $1', [key.id, getBuiltInRole('owner').id]);
  for (const [method, path] of [
    ['GET', '/v1/auth/session'],
    ['GET', '/v1/agents'],
  ] as const) {
    const answer = await call(s.planes.controlUrl, method, path, { token });
    assert.deepEqual([answer.status, answer.json.error.code], [401, 'UNAUTHENTICATED'], path);
    assert.match(answer.json.error.message, /least privileged role/);
  }
  assert.ok((await listApiKeys(s.tenant.token)).some(({ id }: { id: string }) => id === key.id));
});

test('a key of one workspace creates keys of that workspace only, and sees no other', async () => {
  const other = await newControlClient(s.planes.controlUrl, s.tenant.token).createWorkspace({ body: { name: 'Other' } });
  const limited = (await createApiKey(s.tenant.token, { role: 'admin', workspace_id: s.tenant.workspace_id })).json;
  assert.equal(limited.api_key.workspace_id, s.tenant.workspace_id);
  assert.equal((await createApiKey(limited.token)).json.error.code, 'PERMISSION_DENIED');
  assert.equal((await createApiKey(limited.token, { workspace_id: other.id })).json.error.code, 'NOT_FOUND');
  const child = await createApiKey(limited.token, { workspace_id: s.tenant.workspace_id });
  assert.equal(child.status, 201);
  const wide = (await createApiKey(s.tenant.token)).json.api_key;
  const seen = (await listApiKeys(limited.token)).map(({ id }: { id: string }) => id).sort();
  assert.deepEqual(seen, [limited.api_key.id, child.json.api_key.id].sort());
  assert.equal((await revokeApiKey(limited.token, wide.id)).json.error.code, 'NOT_FOUND');
  const workspaces = await newControlClient(s.planes.controlUrl, limited.token).listWorkspaces();
  assert.deepEqual(
    workspaces.map(({ id }: { id: string }) => id),
    [s.tenant.workspace_id],
  );
});

test('an unknown workspace or role and one of another tenant get the same response', async () => {
  const stranger = await newTenant(s.planes);
  for (const workspace_id of [stranger.workspace_id, 'wsp_01JXA4T0000000000000000ABC', 'x'])
    assert.equal((await createApiKey(s.tenant.token, { workspace_id })).json.error.code, 'NOT_FOUND', workspace_id);
  const body = { name: 'Key', role_id: 'rol_01JXA4T0000000000000000ABC' };
  assert.equal((await call(s.planes.controlUrl, 'POST', '/v1/api-keys', { token: s.tenant.token, body })).json.error.code, 'NOT_FOUND');
});

test('a revoked key is refused at its next use; revoking it again changes and records nothing', async () => {
  const { api_key: key, token } = (await createApiKey(s.tenant.token)).json;
  assert.ok(await isLive(token));
  const first = await revokeApiKey(s.tenant.token, key.id);
  assert.ok(Math.abs(Date.parse(first.json.revoked_at) - Date.now()) < 60_000);
  assert.equal(await isLive(token), false);
  assert.deepEqual((await revokeApiKey(s.tenant.token, key.id)).json, { ...first.json });
  assert.deepEqual(
    (await eventsAbout(key.id)).map(({ type }) => type),
    ['apikey.created', 'apikey.revoked'],
  );
});

test('concurrent revocations revoke a key once', async () => {
  const { api_key: key } = (await createApiKey(s.tenant.token)).json;
  const answers = await Promise.all(Array.from({ length: 8 }, () => revokeApiKey(s.tenant.token, key.id)));
  assert.equal(new Set(answers.map(({ json }) => json.revoked_at)).size, 1);
  assert.equal((await eventsAbout(key.id)).length, 2);
});

test('an expired key is refused, and a key of another tenant is answered as unknown', async () => {
  const { api_key: key, token } = (await createApiKey(s.tenant.token)).json;
  await s.owner.query("update api_keys set expires_at = now() - interval '1 second' where id = $1", [key.id]);
  assert.equal(await isLive(token), false);
  const stranger = await newTenant(s.planes);
  const [foreign, never] = [
    await revokeApiKey(stranger.token, key.id),
    await revokeApiKey(stranger.token, 'apk_01JXA4T0000000000000000ABC'),
  ];
  const bare = ({ text, json }: typeof foreign) => text.replace(json.error.request_id, '');
  assert.equal(foreign.status, 404);
  assert.equal(bare(foreign), bare(never));
});

test('the list is sorted newest first', async () => {
  const fresh = await newTenant(s.planes);
  const made = [];
  for (let count = 0; count < 3; count += 1) made.unshift((await createApiKey(fresh.token)).json.api_key.id);
  assert.deepEqual(
    (await listApiKeys(fresh.token)).map(({ id }: { id: string }) => id),
    made,
  );
});

const readPermissions = async (token: string): Promise<string[]> =>
  (await newControlClient(s.planes.controlUrl, token).getSession()).permissions;

test('a key has at most the current permissions of its creator, from the next request after a demotion', async () => {
  const maker = await insertPerson(s.owner, s.tenant.organization_id, 'admin');
  const { token } = (await createApiKey(maker.token, { role: 'admin' })).json;
  const { token: further } = (await createApiKey(token, { role: 'security' })).json;
  const demote = (role: BuiltInRoleName) =>
    s.owner.query('update members set role_id = $1 where user_id = $2', [getBuiltInRole(role).id, maker.id]);
  assert.deepEqual((await readPermissions(token)).sort(), [...getBuiltInRole('admin').permissions].sort());
  for (const role of ['approver', 'viewer'] as const) {
    await demote(role);
    for (const [key, held] of [
      [token, 'admin'],
      [further, 'security'],
    ] as const) {
      const left = getBuiltInRole(role).permissions.filter((each) =>
        (getBuiltInRole(held).permissions as readonly string[]).includes(each),
      );
      assert.deepEqual((await readPermissions(key)).sort(), left.sort(), `${held} made by ${role}`);
    }
    const made = await call(s.planes.controlUrl, 'POST', '/v1/workspaces', { token, body: { name: 'w' } });
    assert.equal(made.json.error.code, 'PERMISSION_DENIED');
  }
  await demote('admin');
  assert.deepEqual((await readPermissions(token)).sort(), [...getBuiltInRole('admin').permissions].sort());
});

test('a key ends with the membership of its creator, and with the key that created it', async () => {
  const maker = await insertPerson(s.owner, s.tenant.organization_id, 'admin');
  const first = (await createApiKey(maker.token, { role: 'admin' })).json;
  const second = (await createApiKey(first.token, { role: 'admin' })).json;
  const beside = (await createApiKey(maker.token, { role: 'admin' })).json;
  assert.ok((await isLive(first.token)) && (await isLive(second.token)));
  await revokeApiKey(s.tenant.token, first.api_key.id);
  assert.deepEqual([await isLive(first.token), await isLive(second.token), await isLive(beside.token)], [false, false, true]);
  await s.owner.query('delete from members where user_id = $1', [maker.id]);
  assert.equal(await isLive(beside.token), false);
});

test('limits how deep keys create keys', async () => {
  let { token } = s.tenant;
  for (let turn = 0; turn < LIMITS.apiKeys.chainMax; turn += 1) token = (await createApiKey(token, { role: 'admin' })).json.token;
  assert.ok(await isLive(token));
  const { status, json } = await createApiKey(token, { role: 'viewer' });
  assert.deepEqual([status, json.error.code], [403, 'PERMISSION_DENIED']);
});

test('a custom role belongs to one organization: its keys may have it, and those of another get nothing by it', async () => {
  const stranger = await newTenant(s.planes);
  const id = 'rol_01JXA4T0000000000000000DEF';
  const permissions = ['agent:read', 'agent:create'];
  await s.owner.query("insert into roles (id, organization_id, name, permissions) values ($1, $2, 'owner', $3)", [
    id,
    s.tenant.organization_id,
    permissions,
  ]);
  const ask = (token: string) => call(s.planes.controlUrl, 'POST', '/v1/api-keys', { token, body: { name: 'Own', role_id: id } });
  const { token } = (await ask(s.tenant.token)).json;
  assert.deepEqual((await readPermissions(token)).sort(), permissions.toSorted());
  assert.equal((await ask(stranger.token)).json.error.code, 'NOT_FOUND');
  const listed = async (by: string) =>
    (await newControlClient(s.planes.controlUrl, by).listRoles()).filter((role: { id: string }) => role.id === id);
  assert.deepEqual(
    [await listed(s.tenant.token), await listed(stranger.token)].map((found) =>
      found.map(({ built_in }: { built_in: boolean }) => built_in),
    ),
    [[false], []],
  );
  const person = await insertPerson(s.owner, stranger.organization_id, { id });
  assert.deepEqual(await readPermissions(person.token), []);
  await s.owner.query('update roles set permissions = $2 where id = $1', [id, ['agent:read']]);
  assert.deepEqual(await readPermissions(token), ['agent:read'], 'what a role loses is lost at the next request');
});

/** Inserts keys of an organization, numbered from `from` on, each with its expiry. */
const fillKeys = (organizationId: string, { from, count, ends }: { from: number; count: number; ends: string }) =>
  s.owner.query(
    `insert into api_keys (organization_id, id, name, role_id, token_hash, created_by, expires_at)
     select $1, 'apk_' || lpad(n::text, 26, '0'), 'Filled', $2, sha256(convert_to($1 || n, 'UTF8')), $1, now() + $5::interval
       from generate_series($3::integer, $3::integer + $4::integer - 1) n`,
    [organizationId, getBuiltInRole('viewer').id, from, count, ends],
  );

test('limits the usable keys of an organization, states the limit, and frees a slot with each that ends', async () => {
  const { perOrganizationMax } = LIMITS.apiKeys;
  const full = await newTenant(s.planes);
  await fillKeys(full.organization_id, { from: 0, count: 50, ends: '-1 day' });
  await fillKeys(full.organization_id, { from: 50, count: perOrganizationMax - 1, ends: '1 day' });
  const answers = await Promise.all([createApiKey(full.token), createApiKey(full.token)]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422]);
  const refused = await createApiKey(full.token);
  assert.equal(refused.json.error.code, 'UNPROCESSABLE', refused.text);
  const { in_organization, most } = refused.json.error.details;
  assert.deepEqual([in_organization.api_keys, most.api_keys], [perOrganizationMax + 1, perOrganizationMax]);
  assert.equal((await revokeApiKey(full.token, `apk_${'50'.padStart(26, '0')}`)).status, 200);
  assert.equal((await createApiKey(full.token)).status, 201);
});

test('the list returns every usable key, and the newest of those that ended', async () => {
  const { endedShownMax } = LIMITS.apiKeys;
  const old = await newTenant(s.planes);
  await fillKeys(old.organization_id, { from: 0, count: 20, ends: '1 day' });
  await fillKeys(old.organization_id, { from: 20, count: endedShownMax + 30, ends: '-1 day' });
  const listed: { id: string }[] = await listApiKeys(old.token);
  const ids = listed.map(({ id }) => Number(id.slice(4)));
  assert.equal(ids.length, endedShownMax + 20);
  assert.deepEqual(
    ids.slice(-20),
    Array.from({ length: 20 }, (_, place) => 19 - place),
  );
  assert.deepEqual([ids[0], ids[endedShownMax - 1]], [endedShownMax + 49, 50]);
});
