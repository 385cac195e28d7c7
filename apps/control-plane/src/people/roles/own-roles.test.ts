import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BuiltInRoleName, getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { PERMISSION_NAMES, PERMISSIONS } from '@svc/contract/tables/permissions.ts';
import { activateRules } from '@svc/testing/agents/governed.ts';
import { call, getCode, type TestResponse } from '@svc/testing/people/client.ts';
import { newTenant, stepUp } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { insertHeldAction } from '@svc/testing/records/insert-action.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene({ steppedUp: true });

const send = (method: string, path: string, token: string, body?: unknown): Promise<TestResponse> =>
  call(s.planes.controlUrl, method, path, { token, ...(body === undefined ? {} : { body }) });
let names = 0;
const createRole = (token: string, permissions: readonly string[], more: object = {}) => {
  names += 1;
  return send('POST', '/v1/roles', token, { name: `Role ${names}`, permissions, ...more });
};
const listPermissions = (token: string) => send('GET', '/v1/roles/permissions', token);
const getRole = (token: string, id: string) => send('GET', `/v1/roles/${id}`, token);
const updateRole = (token: string, id: string, body: object) => send('PATCH', `/v1/roles/${id}`, token, body);
const deleteRole = (token: string, id: string) => send('DELETE', `/v1/roles/${id}`, token);
const readPermissions = async (token: string): Promise<string[]> => (await send('GET', '/v1/auth/session', token)).json.permissions;
const person = (role: BuiltInRoleName | { readonly id: string }, workspaces?: readonly string[]) =>
  insertPerson(s.owner, s.tenant.organization_id, role, { steppedUp: true, ...(workspaces ? { workspaces } : {}) });

test('the permission catalogue states for every permission what it allows, whether it needs a step-up, and whether the caller can grant it', async () => {
  const viewer = await person('viewer');
  const { json } = await listPermissions(viewer.token);
  assert.deepEqual(
    json.map(({ permission }: { permission: string }) => permission),
    PERMISSION_NAMES,
  );
  for (const { permission, allows, step_up, held } of json) {
    assert.equal(allows, PERMISSIONS[permission as keyof typeof PERMISSIONS].description);
    assert.match(allows, /^[A-Z].*\.$/);
    assert.equal(held, (getBuiltInRole('viewer').permissions as readonly string[]).includes(permission), permission);
    if (permission === 'role:update') assert.equal(step_up, 'ALWAYS');
    if (permission === 'environment:set_mode') assert.equal(step_up, 'WHEN_REDUCING');
  }
});

test('a role is created, read with its permissions and number of members, changed from the next request on, and deleted', async () => {
  const made = await createRole(s.tenant.token, ['agent:pause', 'agent:read'], { description: 'Stops agents at night.' });
  assert.equal(made.status, 201, made.text);
  const { id } = made.json;
  assert.deepEqual(made.json, {
    ...made.json,
    permissions: ['agent:read', 'agent:pause'],
    built_in: false,
    description: 'Stops agents at night.',
  });
  const member = await person({ id });
  const read = (await getRole(member.token, id)).json;
  assert.equal(read.error.code, 'PERMISSION_DENIED');
  const told = (await getRole(s.tenant.token, id)).json;
  assert.deepEqual(told.used_by, { members: 1, api_keys: 0, invitations: 0 });
  assert.deepEqual(told.allows[0], { permission: 'agent:read', allows: PERMISSIONS['agent:read'].description, step_up: null });
  const changed = await updateRole(s.tenant.token, id, { name: 'Night watch', permissions: ['agent:read', 'tool:read'] });
  assert.deepEqual([changed.status, changed.json.name, changed.json.permissions], [200, 'Night watch', ['agent:read', 'tool:read']]);
  assert.deepEqual((await readPermissions(member.token)).toSorted(), ['agent:read', 'tool:read']);
  await s.owner.query('delete from members where user_id = $1', [member.id]);
  assert.equal((await deleteRole(s.tenant.token, id)).status, 200);
  assert.equal(getCode(await getRole(s.tenant.token, id)), 'NOT_FOUND');
  const { rows } = await s.owner.query(
    "select type, data::jsonb - 'record_digests' as data from audit_events where subject_id = $1 order by id",
    [id],
  );
  assert.deepEqual(
    rows.map(({ type, data }) => [type, data.before?.permissions ?? null, data.after?.permissions ?? null]),
    [
      ['role.created', null, ['agent:read', 'agent:pause']],
      ['role.updated', ['agent:read', 'agent:pause'], ['agent:read', 'tool:read']],
      ['role.deleted', ['agent:read', 'tool:read'], null],
    ],
  );
});

test('creating or editing a role requires all its permissions, before, after and at that moment', async () => {
  const owners = (await createRole(s.tenant.token, ['organization:delete', 'agent:read'])).json;
  const admin = await person('admin');
  const beyond = await createRole(admin.token, ['agent:read', 'organization:delete']);
  assert.deepEqual([getCode(beyond), beyond.json.error.details.permissions], ['PERMISSION_DENIED', ['organization:delete']]);
  assert.equal(
    getCode(await updateRole(admin.token, owners.id, { permissions: ['agent:read'] })),
    'PERMISSION_DENIED',
    'one that somebody stronger has',
  );
  assert.equal(getCode(await updateRole(admin.token, owners.id, { description: 'x' })), 'PERMISSION_DENIED');
  assert.equal(getCode(await deleteRole(admin.token, owners.id)), 'PERMISSION_DENIED');
  const own = (await createRole(s.tenant.token, ['role:read', 'role:create', 'role:update', 'role:delete', 'agent:pause'])).json;
  const editor = await person({ id: own.id });
  assert.equal(
    getCode(await updateRole(editor.token, own.id, { permissions: [...own.permissions, 'agent:revoke'] })),
    'PERMISSION_DENIED',
    'their own',
  );
  const made = (await createRole(editor.token, ['agent:pause'])).json;
  await updateRole(s.tenant.token, own.id, { permissions: own.permissions.filter((each: string) => each !== 'agent:pause') });
  for (const answer of [await updateRole(editor.token, made.id, { description: 'mine' }), await deleteRole(editor.token, made.id)])
    assert.deepEqual([getCode(answer), answer.json.error.details.permissions], ['PERMISSION_DENIED', ['agent:pause']], 'lost meanwhile');
  assert.equal(getCode(await createRole(editor.token, ['role:read'])), '201');
});

test('a caller limited to workspaces, permanently or by a header, cannot change a role, since it applies to all of its members', async () => {
  const limited = await person('admin', [s.tenant.workspace_id]);
  const role = (await createRole(s.tenant.token, ['agent:read'])).json;
  for (const answer of [
    await createRole(limited.token, ['agent:read']),
    await updateRole(limited.token, role.id, { description: 'x' }),
    await deleteRole(limited.token, role.id),
  ])
    assert.equal(getCode(answer), 'PERMISSION_DENIED');
  const headers = { 'x-svc-workspace': s.tenant.workspace_id };
  assert.equal(
    getCode(await call(s.planes.controlUrl, 'DELETE', `/v1/roles/${role.id}`, { token: s.tenant.token, headers })),
    'PERMISSION_DENIED',
  );
});

test('changing a role requires a recent step-up, and cannot be done with a key', async () => {
  const role = (await createRole(s.tenant.token, ['agent:read'])).json;
  const admin = await insertPerson(s.owner, s.tenant.organization_id, 'admin');
  assert.equal(getCode(await updateRole(admin.token, role.id, { description: 'x' })), 'STEP_UP_REQUIRED');
  const key = await newControlClient(s.planes.controlUrl, s.tenant.token).createApiKey({
    body: { name: 'k', role_id: getBuiltInRole('admin').id },
  });
  assert.equal(getCode(await updateRole(key.token, role.id, { description: 'x' })), 'STEP_UP_REQUIRED');
  assert.equal(getCode(await createRole(key.token, ['agent:read'])), '201');
});

test('a role with members, invitations or keys, or that a rule or an approval names, cannot be deleted, and the response lists them', async () => {
  const { id } = (await createRole(s.tenant.token, ['agent:read', 'approval:approve'])).json;
  const used = async (kind: string) => {
    const refused = await deleteRole(s.tenant.token, id);
    assert.equal(getCode(refused), 'CONFLICT', refused.text);
    const { used_by } = refused.json.error.details;
    assert.deepEqual(
      Object.keys(used_by).filter((each) => used_by[each].length > 0),
      [kind],
    );
    return used_by[kind];
  };
  const member = await person({ id });
  assert.equal((await used('members'))[0].name, member.name);
  await s.owner.query('delete from members where user_id = $1', [member.id]);
  const key = await newControlClient(s.planes.controlUrl, s.tenant.token).createApiKey({ body: { name: 'nightly', role_id: id } });
  assert.deepEqual(await used('api_keys'), [{ id: key.api_key.id, name: 'nightly' }]);
  await send('DELETE', `/v1/api-keys/${key.api_key.id}`, s.tenant.token);
  const email = `role-${id.toLowerCase()}@example.com`;
  const invitation = await newControlClient(s.planes.controlUrl, s.tenant.token).inviteMember({ body: { email, role_id: id } });
  assert.deepEqual(await used('invitations'), [{ id: invitation.id, name: email }]);
  await send('DELETE', `/v1/members/invitations/${invitation.id}`, s.tenant.token);
  const { approvalId } = await insertHeldAction(s.owner, s.tenant, { approver_roles: [id] }, {});
  assert.deepEqual(await used('approvals'), [{ id: approvalId }]);
  await s.owner.query("update approvals set status = 'DENIED' where id = $1", [approvalId]);
  const asks = [{ id: 'held', effect: 'REQUIRE_APPROVAL', approval: { approver_role: id }, reason: 'A person looks.' }];
  await person({ id });
  await activateRules(s.tenant, 'asks for it', asks);
  await s.owner.query('delete from members where role_id = $1', [id]);
  assert.equal((await used('policies'))[0].name, 'asks for it');
});

test('approvals given in a role end with its permission to approve', async () => {
  const role = (await createRole(s.tenant.token, ['approval:read', 'approval:approve'])).json;
  const member = await person({ id: role.id });
  const { approvalId } = await insertHeldAction(s.owner, s.tenant, { approver_roles: [role.id] }, {});
  await newControlClient(s.planes.controlUrl, member.token).approveApproval({ params: { approvalId }, body: {} });
  await updateRole(s.tenant.token, role.id, { name: 'Renamed' });
  const status = async () => (await s.owner.query('select status from approvals where id = $1', [approvalId])).rows[0].status;
  assert.equal(await status(), 'APPROVED');
  await updateRole(s.tenant.token, role.id, { permissions: ['approval:read'] });
  assert.equal(await status(), 'CANCELLED');
});

test('built-in roles cannot be changed or their names reused in any form; names are unique, and roles limited', async () => {
  const owner = getBuiltInRole('owner').id;
  for (const answer of [await updateRole(s.tenant.token, owner, { description: 'x' }), await deleteRole(s.tenant.token, owner)])
    assert.equal(getCode(answer), 'UNPROCESSABLE');
  for (const name of ['owner', 'Owner', ' admin ', 'ｏｗｎｅｒ', 'VIEWER']) {
    const refused = await createRole(s.tenant.token, ['agent:read'], { name });
    assert.deepEqual([getCode(refused), refused.json.error.details.faults[0].pointer], ['VALIDATION_FAILED', '/name'], name);
  }
  const { id, name } = (await createRole(s.tenant.token, ['agent:read'])).json;
  assert.equal(getCode(await updateRole(s.tenant.token, id, { name: 'viewer' })), 'VALIDATION_FAILED');
  assert.equal(getCode(await createRole(s.tenant.token, ['agent:read'], { name })), 'ALREADY_EXISTS');
  assert.equal(getCode(await createRole(s.tenant.token, ['agent:read'], { name: ` ${name} ` })), 'ALREADY_EXISTS');
  for (const permissions of [[], ['no:such'], ['agent:read', 'agent:read'], 'agent:read', ['__proto__']])
    assert.equal(getCode(await createRole(s.tenant.token, permissions as string[])), 'VALIDATION_FAILED', JSON.stringify(permissions));
  const crowded = await newTenant(s.planes);
  await s.owner.query(
    "insert into roles (id, organization_id, name, permissions) select 'rol_' || n || $1, $1, 'r' || n, '{agent:read}' from generate_series(1, $2) n",
    [crowded.organization_id, LIMITS.roles.ownMax],
  );
  assert.equal(getCode(await createRole(crowded.token, ['agent:read'])), 'UNPROCESSABLE');
});

test('a role of another organization is answered as unknown', async () => {
  const stranger = await newTenant(s.planes);
  await stepUp(s.planes.controlUrl, stranger);
  const { id } = (await createRole(s.tenant.token, ['agent:read'])).json;
  const bare = ({ status, text, json }: TestResponse) => [status, text.replace(json.error.request_id, '')];
  const ways = [
    (at: string) => getRole(stranger.token, at),
    (at: string) => updateRole(stranger.token, at, { name: 'x' }),
    (at: string) => deleteRole(stranger.token, at),
  ];
  for (const way of ways) assert.deepEqual(bare(await way(id)), bare(await way('rol_01JXA4T0000000000000000ABC')));
});
