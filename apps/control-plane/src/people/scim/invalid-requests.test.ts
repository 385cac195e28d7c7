import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type NameServer, startNameServer } from '@svc/testing/peers/name-server.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { newTenant, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';

const PATCH = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];

let planes: Planes;
let names: NameServer;
let owner: pg.Client;
let tenant: Tenant;
let secret: string;
let domain: string;
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

/** An organization with a verified domain and the token of its directory. */
beforeEach(async () => {
  made += 1;
  tenant = await newTenant(planes);
  const { token } = tenant;
  await stepUp(planes.controlUrl, tenant);
  domain = `badly-${made}.example`;
  const provider = { name: 'Provider', issuer: 'http://127.0.0.1:9', client_id: 'us', domains: [domain] };
  const connection = await mustCall(planes.controlUrl, 'POST', '/v1/sso/connections', { token, body: provider });
  names.publish(connection.domains[0].record.name, connection.domains[0].record.value);
  await mustCall(planes.controlUrl, 'POST', `/v1/sso/connections/${connection.id}/test`, { token, body: {} });
  ({ token: secret } = await mustCall(planes.controlUrl, 'POST', '/v1/sso/scim-token', { token, body: {} }));
});

const ask = (method: string, path: string, body?: object) =>
  call(planes.controlUrl, method, `/scim/v2${path}`, {
    token: secret,
    headers: { 'content-type': 'application/scim+json' },
    ...(body ? { raw: JSON.stringify(body) } : {}),
  });
const createScimUser = (body: object) => ask('POST', '/Users', body);
const getScimUser = (id: string) => ask('GET', `/Users/${id}`);
const replaceScimUser = (id: string, body: object) => ask('PUT', `/Users/${id}`, body);
const patchScimUser = (id: string, ...Operations: object[]) => ask('PATCH', `/Users/${id}`, { schemas: PATCH, Operations });
const createScimGroup = (body: object) => ask('POST', '/Groups', body);

const user = (name: string, more: object = {}) => ({ userName: `${name}@${domain}`, ...more });
const create = async (name: string) => (await createScimUser(user(name))).json as { id: string };
const readRole = async (id: string) =>
  (await owner.query('select role_id from members where organization_id = $1 and id = $2', [tenant.organization_id, id])).rows[0]?.role_id;

describe('malformed or missing values', () => {
  test('of active change nothing if it is missing or null', async () => {
    const { id } = await create('gone');
    assert.equal((await patchScimUser(id, { op: 'replace', path: 'active', value: false })).json.active, false);
    const silent = [
      () => replaceScimUser(id, user('gone')),
      () => replaceScimUser(id, user('gone', { active: null })),
      () => patchScimUser(id, { op: 'remove', path: 'active' }),
      () => patchScimUser(id, { op: 'replace', value: { active: null } }),
    ];
    for (const [n, say] of silent.entries()) {
      const { status, json } = await say();
      assert.deepEqual([status, json.active, await readRole(id)], [200, false, undefined], `the ${n}. of them`);
    }
    assert.equal((await replaceScimUser(id, user('gone', { active: true }))).json.active, true);
    assert.equal((await replaceScimUser(id, user('gone'))).json.active, true, 'who is active stays so too');
  });

  test('of duplicate attributes and malformed emails are refused and change nothing', async () => {
    const { id } = await create('twice');
    const bodies = [user('twice', { active: false, Active: true }), user('twice', { emails: [null] }), user('twice', { emails: ['x'] })];
    for (const body of bodies) {
      const answers = [await replaceScimUser(id, body), await createScimUser({ ...body, userName: `new@${domain}` })];
      for (const { status, json } of answers) assert.deepEqual([status, json.status], [400, '400'], JSON.stringify(body));
    }
    assert.equal((await getScimUser(id)).json.active, true);
  });
});

describe('concurrently created groups', () => {
  test('stay within the limit, and a member of all of them can be deactivated', async () => {
    const { id } = await create('everywhere');
    await owner.query(
      `insert into scim_groups (organization_id, id, display_name, created_at, updated_at)
         select $1, 'grp_' || lpad(n::text, 26, '0'), 'g' || n, now(), now() from generate_series(1, $2::int) n`,
      [tenant.organization_id, LIMITS.scim.groupsMax - 1],
    );
    await owner.query(
      'insert into scim_group_members (organization_id, group_id, member_id) select $1, id, $2 from scim_groups where organization_id = $1',
      [tenant.organization_id, id],
    );
    const gate = await planes.database.client();
    await gate.query('begin');
    await gate.query("select pg_advisory_xact_lock(hashtextextended('svc staff of ' || $1, 0))", [tenant.organization_id]);
    const all = Promise.all([1, 2].map((n) => createScimGroup({ displayName: `at once ${n}`, members: [{ value: id }] })));
    const waiting = "select from pg_locks where locktype = 'advisory' and not granted";
    await waitUntil('both of them wait', async () => (await owner.query(waiting)).rowCount === 2);
    await gate.query('commit');
    await gate.end();
    const made = await all;
    assert.deepEqual(made.map(({ status }) => status).toSorted(), [201, 400]);
    assert.equal((await patchScimUser(id, { op: 'replace', path: 'active', value: false })).json.active, false);
    assert.equal(await readRole(id), undefined);
  });
});
