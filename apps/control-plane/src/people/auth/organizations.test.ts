import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { type SignedUp, signUp, stepUp } from '@svc/testing/people/tenant.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { insertMember } from '@svc/testing/records/insert-person.ts';
import type pg from 'pg';

let planes: Planes;
let db: pg.Client;
/** Owns the first organization, and views the second. */
let ann: SignedUp;
let other: SignedUp;

const post = (path: string, body: unknown, token?: string) => call(planes.controlUrl, 'POST', path, { body, token });
const get = (path: string, token: string) => call(planes.controlUrl, 'GET', path, { token });
const login = (more: object = {}, { email, password } = ann) => post('/v1/auth/login', { email, password, ...more });
const switchOrganization = (token: string, organization_id: string) => post('/v1/auth/switch', { organization_id }, token);
const getCode = ({ status, json }: TestResponse): string => json?.error?.code ?? String(status);
const isLive = async (token: string) => (await get('/v1/auth/session', token)).status === 200;

before(async () => {
  planes = await leasePlanes();
  db = await planes.database.client();
  ann = await signUp(planes.controlUrl);
  other = await signUp(planes.controlUrl);
  await insertMember(db, { organizationId: other.organization.id, userId: ann.user.id, roleId: getBuiltInRole('viewer').id });
});
after(async () => {
  await db.end();
  await planes.stop();
});

describe('signing in with an account of several organizations', () => {
  test('uses the first joined organization by default', async () => {
    const plain = (await login()).json;
    assert.deepEqual([plain.organization.id, plain.permissions.includes('organization:delete')], [ann.organization.id, true]);
    const named = (await login({ organization_id: other.organization.id })).json;
    assert.deepEqual(named.organization, other.organization);
    assert.deepEqual(named.permissions, getBuiltInRole('viewer').permissions);
    assert.deepEqual(named.scope, { organization_id: other.organization.id, workspace_id: null, environment_id: null });
    assert.equal((await get('/v1/organization', named.token)).json.id, other.organization.id);
    assert.equal(getCode(await post('/v1/workspaces', { name: 'w' }, named.token)), 'PERMISSION_DENIED');
  });

  test('fails for an unknown or foreign organization like a wrong password', async () => {
    const stranger = await signUp(planes.controlUrl);
    const nobody = await signUp(planes.controlUrl);
    await db.query('delete from members where user_id = $1', [nobody.user.id]);
    const bare = ({ status, text, json }: TestResponse) => [status, text.replace(json.error.request_id, '')];
    const wrong = bare(await login({ password: 'not this one' }));
    assert.equal(wrong[0], 401);
    for (const refused of [
      await login({ organization_id: stranger.organization.id }),
      await login({ organization_id: 'org_7ZZZZZZZZZZZZZZZZZZZZZZZZZ' }),
      await login({}, nobody),
    ])
      assert.deepEqual(bare(refused), wrong);
    const { rows } = await db.query("select 1 from audit_events where organization_id = $1 and type = 'user.login_failed'", [
      stranger.organization.id,
    ]);
    assert.equal(rows.length, 0, 'nobody writes into the record of an organization they have nothing to do with');
    await db.query('delete from sign_in_failures');
  });

  test('counts a correct password for a foreign organization as a wrong one, so that the lockout reveals nothing', async () => {
    const person = await signUp(planes.controlUrl);
    for (let turn = 0; turn < 3; turn += 1) await login({ organization_id: other.organization.id }, person);
    const { rows } = await db.query("select max(failures) as most from sign_in_failures where key like 'account:%'");
    assert.equal(rows[0].most, 3);
    await db.query('delete from sign_in_failures');
  });
});

test('listOrganizations lists the organizations of the person, in the order of joining, and marks the current one', async () => {
  const { token } = (await login({ organization_id: other.organization.id })).json;
  const role = (name: 'owner' | 'viewer') => ({ id: getBuiltInRole(name).id, name });
  assert.deepEqual((await get('/v1/auth/organizations', token)).json, [
    { id: ann.organization.id, name: ann.organization.name, role: role('owner'), current: false },
    { id: other.organization.id, name: other.organization.name, role: role('viewer'), current: true },
  ]);
  assert.equal((await get('/v1/auth/organizations', other.token)).json.length, 1);
  const key = (await post('/v1/api-keys', { name: 'k', role_id: getBuiltInRole('admin').id }, other.token)).json.token;
  for (const answer of [await get('/v1/auth/organizations', key), await switchOrganization(key, other.organization.id)])
    assert.equal(getCode(answer), 'PERMISSION_DENIED');
});

describe('switchOrganization', () => {
  test('opens a further session with the permissions there, and keeps the original unchanged', async () => {
    const first = (await login()).json;
    const second = await switchOrganization(first.token, other.organization.id);
    assert.equal(second.status, 200, second.text);
    assert.deepEqual(second.json.organization, other.organization);
    assert.deepEqual(second.json.permissions, getBuiltInRole('viewer').permissions);
    const session = (await get('/v1/auth/session', first.token)).json;
    assert.deepEqual([session.organization.id, session.permissions], [ann.organization.id, first.permissions]);
    assert.equal((await get('/v1/auth/session', second.json.token)).json.organization.id, other.organization.id);
    const { rows } = await db.query(
      "select organization_id from audit_events where type = 'user.login_succeeded' and subject_id = $1 order by id desc limit 1",
      [ann.user.id],
    );
    assert.equal(rows[0].organization_id, other.organization.id);
  });

  test('carries no step-up over, and does not outlast its original session', async () => {
    const first = (await login()).json;
    await stepUp(planes.controlUrl, { token: first.token, password: ann.password });
    const end =
      "update sessions set expires_at = date_trunc('milliseconds', now()) + interval '1 minute' where user_id = $1 returning expires_at";
    const { rows } = await db.query(end, [ann.user.id]);
    const there = (await switchOrganization(first.token, other.organization.id)).json;
    assert.equal((await get('/v1/auth/session', there.token)).json.step_up_expires_at, null);
    assert.ok(Date.parse(there.expires_at) <= Math.max(...rows.map(({ expires_at }) => new Date(expires_at).getTime())));
    const back = (await switchOrganization(there.token, ann.organization.id)).json;
    assert.equal((await get('/v1/auth/session', back.token)).json.step_up_expires_at, null);
    assert.notEqual((await get('/v1/auth/session', first.token)).json.step_up_expires_at, null);
  });

  test('to a foreign organization is not found, whether it exists or not', async () => {
    const stranger = await signUp(planes.controlUrl);
    const { token } = (await login()).json;
    const bare = ({ status, text, json }: TestResponse) => [status, text.replace(json.error.request_id, '')];
    const [foreign, none] = [
      await switchOrganization(token, stranger.organization.id),
      await switchOrganization(token, 'org_7ZZZZZZZZZZZZZZZZZZZZZZZZZ'),
    ];
    assert.equal(getCode(foreign), 'NOT_FOUND');
    assert.deepEqual(bare(foreign), bare(none));
  });

  test('does not outlive a sign-out: a stolen token gains nothing by it, in any organization', async () => {
    const first = (await login()).json;
    const there = (await switchOrganization(first.token, other.organization.id)).json;
    const back = (await switchOrganization(there.token, ann.organization.id)).json;
    const beside = (await login()).json;
    await post('/v1/auth/logout', {}, there.token);
    for (const { token } of [first, there, back]) assert.equal(getCode(await get('/v1/auth/session', token)), 'UNAUTHENTICATED');
    assert.ok(await isLive(beside.token), 'another sign-in of the same person goes on');
  });

  test('ends with the membership', async () => {
    const leaver = await signUp(planes.controlUrl);
    await insertMember(db, { organizationId: other.organization.id, userId: leaver.user.id, roleId: getBuiltInRole('viewer').id });
    const there = (await switchOrganization(leaver.token, other.organization.id)).json;
    assert.ok(await isLive(there.token));
    await db.query('delete from members where user_id = $1 and organization_id = $2', [leaver.user.id, other.organization.id]);
    assert.equal(getCode(await get('/v1/auth/session', there.token)), 'UNAUTHENTICATED');
    assert.ok(await isLive(leaver.token));
  });
});
