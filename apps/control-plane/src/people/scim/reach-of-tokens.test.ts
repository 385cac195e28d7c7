import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type BuiltInRoleName, getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { type NameServer, startNameServer } from '@svc/testing/peers/name-server.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { newTenant, stepUp } from '@svc/testing/people/tenant.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import type pg from 'pg';

let planes: Planes;
let names: NameServer;
let owner: pg.Client;
let made = 0;
before(async () => {
  names = await startNameServer();
  planes = await startPlanes({ gateways: 0, env: { SVC_EGRESS_NAME_SERVERS: names.address } });
  owner = await planes.database.client();
});
after(async () => {
  await owner.end();
  await Promise.all([planes.stop(), names.close()]);
});

const GROUP = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'] };
const roleId = (name: BuiltInRoleName) => getBuiltInRole(name).id;
const send = (as: string, method: string, path: string, body?: object) =>
  call(planes.controlUrl, method, path, { token: as, ...(body ? { body } : {}) });
const scim = (as: string, method: string, path: string, body?: object) =>
  call(planes.controlUrl, method, `/scim/v2${path}`, {
    token: as,
    headers: { 'content-type': 'application/scim+json' },
    ...(body ? { raw: JSON.stringify(body) } : {}),
  });

/** Creates an organization with a verified domain, where Bob, a viewer who manages single sign-on and members, created the token. */
const newDesk = async () => {
  made += 1;
  const domain = `desk-${made}.example`;
  const tenant = await newTenant(planes);
  const { token } = tenant;
  await stepUp(planes.controlUrl, tenant);
  const provider = { name: 'P', issuer: 'http://127.0.0.1:9', client_id: 'us', domains: [domain] };
  const connection = await mustCall(planes.controlUrl, 'POST', '/v1/sso/connections', { token, body: provider });
  names.publish(connection.domains[0].record.name, connection.domains[0].record.value);
  await mustCall(planes.controlUrl, 'POST', `/v1/sso/connections/${connection.id}/test`, { token, body: {} });
  const its = ['sso:read', 'sso:update', 'member:read', 'member:update', 'member:remove'];
  const permissions = [...new Set([...getBuiltInRole('viewer').permissions, ...its])];
  const desk = `rol_${newUlid()}`;
  await owner.query('insert into roles (id, organization_id, name, permissions) values ($1, $2, $3, $4)', [
    ...[desk, tenant.organization_id, 'desk', permissions],
  ]);
  const person = async (name: string, role: BuiltInRoleName | { id: string }) => {
    const somebody = await insertPerson(owner, tenant.organization_id, role, { steppedUp: true });
    await owner.query('update users set email = $2 where id = $1', [somebody.id, `${name}@${domain}`]);
    const { rows } = await owner.query('select id, role_id from members where user_id = $1', [somebody.id]);
    return { ...somebody, member: rows[0].id as string };
  };
  const [bob, admin, viewer] = [await person('bob', { id: desk }), await person('admin', 'admin'), await person('viewer', 'viewer')];
  const roleOf = async ({ id }: { id: string }) =>
    (await owner.query('select role_id from members where user_id = $1', [id])).rows[0]?.role_id as string | undefined;
  const secret = (await mustCall(planes.controlUrl, 'POST', '/v1/sso/scim-token', { token: bob.token, body: {} })).token as string;
  return { token, tenant, desk, connection, bob, admin, viewer, roleOf, secret };
};

const ADMINS = { group_roles: [{ group: 'Admins', role_id: roleId('admin') }] };

test('a token is accepted while its creator holds each mapped role, otherwise the reason is stated, and the configuration shows it', async () => {
  const { token, bob, roleOf, desk, secret } = await newDesk();
  assert.equal((await send(token, 'GET', '/v1/sso/scim')).json.token_opens, true);
  const mapped = await send(token, 'PATCH', '/v1/sso/scim', ADMINS);
  assert.deepEqual([mapped.status, mapped.json.token_opens], [200, false]);
  const refused = await scim(secret, 'POST', '/Groups', { ...GROUP, displayName: 'Admins', members: [{ value: bob.member }] });
  assert.equal(refused.status, 401, refused.text);
  assert.match(refused.json.detail, /to create a new token/);
  assert.equal(await roleOf(bob), desk, 'nobody makes themselves an admin');
  await send(token, 'PATCH', '/v1/sso/scim', { group_roles: [] });
  assert.equal((await scim(secret, 'GET', '/Users')).status, 200, 'what is mapped no more stands in nobody’s way');
});

test('a directory does not change people with more permissions than the creator of its token, and changes all others', async () => {
  const { admin, viewer, roleOf, secret } = await newDesk();
  const off = { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: [{ op: 'replace', path: 'active', value: false }] };
  const members = [{ value: admin.member }, { value: viewer.member }];
  const group = await scim(secret, 'POST', '/Groups', { ...GROUP, displayName: 'Guests', members });
  assert.equal(group.status, 201, group.text);
  assert.equal(await roleOf(admin), roleId('admin'), 'groups do not take from who has more');
  assert.equal((await scim(secret, 'DELETE', `/Groups/${group.json.id}`)).status, 204);
  assert.equal(await roleOf(admin), roleId('admin'));
  for (const ended of [await scim(secret, 'PATCH', `/Users/${admin.member}`, off), await scim(secret, 'DELETE', `/Users/${admin.member}`)])
    assert.deepEqual(
      [ended.status, /more permissions than the creator of the directory token/.test(ended.json.detail)],
      [403, true],
      ended.text,
    );
  assert.equal(await roleOf(admin), roleId('admin'));
  assert.equal((await scim(secret, 'DELETE', `/Users/${viewer.member}`)).status, 204);
  assert.equal(await roleOf(viewer), undefined);
});

test('removing a mapping requires its role, in a directory or a connection, also a disabled one', async () => {
  const { token, bob, admin, connection, roleOf } = await newDesk();
  const owners = (await mustCall(planes.controlUrl, 'POST', '/v1/sso/scim-token', { token, body: {} })).token as string;
  await send(token, 'PATCH', '/v1/sso/scim', ADMINS);
  await scim(owners, 'POST', '/Groups', { ...GROUP, displayName: 'Admins', members: [{ value: admin.member }] });
  assert.equal((await send(bob.token, 'PATCH', '/v1/sso/scim', { group_roles: [] })).json.error?.code, 'PERMISSION_DENIED');
  assert.equal(await roleOf(admin), roleId('admin'));
  const path = `/v1/sso/connections/${connection.id}`;
  const mapping = { role_claim: 'groups', role_mapping: [{ value: 'admins', role_id: roleId('admin') }] };
  const mapped = await send(token, 'PATCH', path, mapping);
  assert.equal(mapped.status, 200, mapped.text);
  const lesser = { role_mapping: [{ value: 'admins', role_id: roleId('viewer') }] };
  assert.equal((await send(bob.token, 'PATCH', path, lesser)).json.error?.code, 'PERMISSION_DENIED');
  assert.equal((await send(bob.token, 'PATCH', path, { status: 'DISABLED' })).status, 200, 'whoever looks after it stops it');
  assert.equal((await send(bob.token, 'PATCH', path, lesser)).json.error?.code, 'PERMISSION_DENIED', 'and does not go round it so');
  assert.equal((await send(token, 'PATCH', path, lesser)).status, 200);
});

test('changed groups assign their roles within the permissions of the person who changes them', async () => {
  const { bob, admin, viewer, roleOf, desk, secret, token } = await newDesk();
  const members = [{ value: admin.member }, { value: viewer.member }];
  assert.equal((await scim(secret, 'POST', '/Groups', { ...GROUP, displayName: 'Desk', members })).status, 201);
  const changed = await send(bob.token, 'PATCH', '/v1/sso/scim', { group_roles: [{ group: 'Desk', role_id: desk }] });
  assert.equal(changed.status, 200, changed.text);
  assert.deepEqual([await roleOf(admin), await roleOf(viewer)], [roleId('admin'), desk]);
  assert.equal((await send(token, 'PATCH', '/v1/sso/scim', { default_role_id: roleId('viewer') })).status, 200);
  assert.equal(await roleOf(admin), desk, 'an owner reaches whom they hold');
});
