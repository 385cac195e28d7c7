import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { type NameServer, startNameServer } from '@svc/testing/peers/name-server.ts';
import { call } from '@svc/testing/people/client.ts';
import { newTenant, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import type pg from 'pg';

const ISSUER = 'http://127.0.0.1:9';
const SECRET = 'the-secret-of-the-client';

let planes: Planes;
let names: NameServer;
let owner: pg.Client;
let tenant: Tenant;
before(async () => {
  names = await startNameServer();
  planes = await startPlanes({ gateways: 0, env: { SVC_EGRESS_NAME_SERVERS: names.address } });
  owner = await planes.database.client();
  tenant = await newTenant(planes);
  await stepUp(planes.controlUrl, tenant);
});
after(async () => {
  await owner.end();
  await Promise.all([planes.stop(), names.close()]);
});

const send = (method: string, path: string, body?: object, token = tenant.token) =>
  call(planes.controlUrl, method, path, { token, ...(body ? { body } : {}) });
const createSsoConnection = (body: object = {}, token = tenant.token) =>
  send('POST', '/v1/sso/connections', { name: `Provider ${newUlid()}`, issuer: ISSUER, client_id: 'us', ...body }, token);
const updateSsoConnection = (id: string, body: object, token = tenant.token) => send('PATCH', `/v1/sso/connections/${id}`, body, token);
const testSsoConnection = (id: string, token = tenant.token) => send('POST', `/v1/sso/connections/${id}/test`, {}, token);
const deleteSsoConnection = (id: string) => send('DELETE', `/v1/sso/connections/${id}`);
const listSsoConnections = async () => (await send('GET', '/v1/sso/connections')).json;

test('the client secret is sealed, and never returned', async () => {
  const { status, text, json } = await createSsoConnection({ client_secret: SECRET });
  assert.deepEqual([status, json.has_client_secret], [201, true]);
  assert.equal((await updateSsoConnection(json.id, { client_id: 'other' })).json.has_client_secret, true);
  const listed = JSON.stringify(await listSsoConnections());
  const kept = await owner.query('select c::text as row from sso_connections c union all select e::text from audit_events e');
  for (const shown of [text, listed, JSON.stringify(kept.rows), planes.logs()]) assert.ok(!shown.includes(SECRET));
  assert.ok(!JSON.stringify(kept.rows).includes(Buffer.from(SECRET).toString('hex')));
  assert.equal((await updateSsoConnection(json.id, { client_secret: null })).json.has_client_secret, false);
});

test('a domain is verified by its DNS record, by one organization at a time, and covers no subdomain or parent', async () => {
  const domains = ['Proved.Example', 'unproved.example'];
  const { json: made } = await createSsoConnection({ domains });
  assert.deepEqual(
    made.domains.map((each: { domain: string; verified_at: string | null }) => [each.domain, each.verified_at]),
    [
      ['proved.example', null],
      ['unproved.example', null],
    ],
  );
  const [{ record }] = made.domains;
  names.publish(record.name, 'something else', record.value);
  const { json } = await testSsoConnection(made.id);
  assert.deepEqual(
    json.domains.map((each: { verified: boolean }) => each.verified),
    [true, false],
  );
  const other = await newTenant(planes);
  await stepUp(planes.controlUrl, other);
  const { json: theirs } = await createSsoConnection({ domains: ['proved.example'] }, other.token);
  assert.notEqual(theirs.domains[0].record.value, record.value, 'nobody proves it with the record of another');
  assert.deepEqual((await testSsoConnection(theirs.id, other.token)).json.domains[0].verified, false);
  names.publish(record.name, record.value, theirs.domains[0].record.value);
  assert.match((await testSsoConnection(theirs.id, other.token)).json.domains[0].fault, /another organization/);
  await updateSsoConnection(made.id, { domains: [] });
  assert.equal((await testSsoConnection(theirs.id, other.token)).json.domains[0].verified, true, 'once it was given up');
});

test('a domain belongs to one connection of an organization, and an invalid one is refused', async () => {
  await createSsoConnection({ domains: ['once.example'] });
  const twice = await createSsoConnection({ domains: ['ONCE.example'] });
  assert.deepEqual([twice.status, twice.json.error.details.faults[0].pointer], [400, '/domains']);
  for (const domain of [
    'example',
    'a b.example',
    '-a.example',
    'a..example',
    '*.example',
    'a.example.',
    '127.0.0.1',
    'ä.example',
    'a@b.example',
  ])
    assert.equal((await createSsoConnection({ domains: [domain] })).status, 400, domain);
});

test('mapping a role requires holding it, and so does changing the connection', async () => {
  const admin = await insertPerson(owner, tenant.organization_id, 'admin', { steppedUp: true });
  const roleId = `rol_${newUlid()}`;
  await owner.query(
    "insert into roles (id, organization_id, name, permissions) values ($1, $2, 'sso only', array['sso:read', 'sso:update'])",
    [...[roleId, tenant.organization_id]],
  );
  const editor = await insertPerson(owner, tenant.organization_id, { id: roleId }, { steppedUp: true });
  const limited = await insertPerson(owner, tenant.organization_id, 'admin', { steppedUp: true, workspaces: [tenant.workspace_id] });
  const gives = { default_role_id: getBuiltInRole('developer').id };
  assert.equal((await createSsoConnection(gives, editor.token)).json.error.code, 'PERMISSION_DENIED');
  assert.equal((await createSsoConnection(gives, limited.token)).json.error?.code, 'PERMISSION_DENIED', 'people of every workspace get it');
  const { json: made } = await createSsoConnection(gives, admin.token);
  for (const body of [{ jit: true }, { role_claim: 'sub' }, { client_id: 'mine' }])
    assert.equal((await updateSsoConnection(made.id, body, editor.token)).json.error?.code, 'PERMISSION_DENIED', JSON.stringify(body));
  assert.equal((await updateSsoConnection(made.id, { status: 'DISABLED' }, editor.token)).status, 200, 'whoever may change it can stop it');
  for (const body of [
    { default_role_id: getBuiltInRole('owner').id },
    { role_mapping: [{ value: 'x', role_id: getBuiltInRole('owner').id }] },
  ])
    assert.equal((await createSsoConnection(body)).status, 400);
  assert.equal((await createSsoConnection({ default_role_id: 'rol_7ZZZZZZZZZZZZZZZZZZZZZZZZZ' })).status, 400);
});

test('a removed connection is deleted with its domains, and both are recorded', async () => {
  const { json: made } = await createSsoConnection({ domains: ['removed.example'] });
  assert.equal((await deleteSsoConnection(made.id)).status, 200);
  assert.equal((await testSsoConnection(made.id)).status, 404);
  assert.equal((await createSsoConnection({ domains: ['removed.example'] })).status, 201);
  const { rows } = await owner.query("select data->>'change' as change from audit_events where subject_id = $1 order by id", [made.id]);
  assert.deepEqual(rows, [{ change: 'created' }, { change: 'deleted' }]);
});
