import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { builtInRole } from '@svc/contract/tables/built-in-roles.ts';
import { type NameServer, startNameServer } from '@svc/testing/peers/name-server.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { newTenant, signUp, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import type pg from 'pg';

const [VIEWER, DEVELOPER, OWNER] = (['viewer', 'developer', 'owner'] as const).map((name) => builtInRole(name).id);
const PATCH = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];

let planes: Planes;
let names: NameServer;
let owner: pg.Client;
let tenant: Tenant;
let token: string;
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

const send = (method: string, path: string, body?: object, as = tenant.token) =>
  call(planes.controlUrl, method, path, { token: as, ...(body ? { body } : {}) });
const ask = (method: string, path: string, body?: object, as = token) =>
  call(planes.controlUrl, method, `/scim/v2${path}`, {
    token: as,
    headers: { 'content-type': 'application/scim+json' },
    ...(body ? { raw: JSON.stringify(body) } : {}),
  });

/** An organization with a verified domain and the token of its directory. */
const newDirectory = async () => {
  made += 1;
  const of = await newTenant(planes);
  await stepUp(planes.controlUrl, of);
  const its = `team-${made}.example`;
  const connection = await mustCall(planes.controlUrl, 'POST', '/v1/sso/connections', {
    ...{ token: of.token, body: { name: 'Provider', issuer: 'http://127.0.0.1:9', client_id: 'us', domains: [its] } },
  });
  names.publish(connection.domains[0].record.name, connection.domains[0].record.value);
  await mustCall(planes.controlUrl, 'POST', `/v1/sso/connections/${connection.id}/test`, { token: of.token, body: {} });
  const { token: secret } = await mustCall(planes.controlUrl, 'POST', '/v1/sso/scim-token', { token: of.token, body: {} });
  return { of, its, secret: secret as string };
};
beforeEach(async () => {
  ({ of: tenant, its: domain, secret: token } = await newDirectory());
});

const user = (name: string, more: object = {}) => ({ userName: `${name}@${domain}`, name: { givenName: 'G', familyName: name }, ...more });
const create = async (name: string, more: object = {}) => (await ask('POST', '/Users', user(name, more))).json;
const patch = (path: string, ...Operations: object[]) => ask('PATCH', path, { schemas: PATCH, Operations });
const roleOf = async (id: string) =>
  (await owner.query('select role_id from members where organization_id = $1 and id = $2', [tenant.organization_id, id])).rows[0]?.role_id;

describe('the token of a directory', () => {
  test('is shown once, kept as a hash, opens SCIM alone, and ends with the next one', async () => {
    assert.match(token, /^svc_scim_[0-9A-Za-z]{49}$/);
    const kept = await owner.query('select s::text as row from scim_settings s union all select e::text from audit_events e');
    assert.ok(!JSON.stringify(kept.rows).includes(token));
    assert.equal((await send('GET', '/v1/auth/session', undefined, token)).status, 401);
    assert.equal((await ask('GET', '/Users', undefined, tenant.token)).status, 401);
    const { json } = await send('POST', '/v1/sso/scim-token', {});
    assert.equal((await ask('GET', '/Users')).status, 401);
    assert.equal((await ask('GET', '/Users', undefined, json.token)).status, 200);
    await send('DELETE', '/v1/sso/scim-token');
    const refused = await ask('GET', '/Users', undefined, json.token);
    assert.deepEqual([refused.status, refused.json.schemas], [401, ['urn:ietf:params:scim:api:messages:2.0:Error']]);
  });

  test('reaches its own organization, and that of another answers as what was never there', async () => {
    const mine = await create('mine');
    const group = (await ask('POST', '/Groups', { displayName: 'Mine', members: [{ value: mine.id }] })).json;
    const other = await newDirectory();
    const told = async (path: string) => {
      const answer = await ask('GET', path, undefined, other.secret);
      return [answer.status, answer.text];
    };
    assert.deepEqual(await told(`/Users/${mine.id}`), await told('/Users/mem_7ZZZZZZZZZZZZZZZZZZZZZZZZZ'));
    assert.deepEqual(await told(`/Groups/${group.id}`), await told('/Groups/grp_7ZZZZZZZZZZZZZZZZZZZZZZZZZ'));
    for (const [method, path, body] of [
      ['PUT', `/Users/${mine.id}`, user('mine')],
      ['DELETE', `/Users/${mine.id}`],
      ['DELETE', `/Groups/${group.id}`],
      ['PATCH', `/Users/${mine.id}`, { schemas: PATCH, Operations: [{ op: 'replace', path: 'active', value: false }] }],
    ] as const)
      assert.equal((await ask(method, path, body, other.secret)).status, 404, path);
    const theirs = await ask('POST', '/Groups', { displayName: 'x', members: [{ value: mine.id }] }, other.secret);
    assert.equal(theirs.status, 400);
    assert.ok(!(await ask('GET', '/Users', undefined, other.secret)).text.includes(mine.id));
  });
});

describe('a person', () => {
  test('is made a member of a verified domain, listed, found by name, renamed, and made once', async () => {
    const answer = await ask('POST', '/Users', user('Ada', { externalId: 'ext-1', displayName: 'Ada L.' }));
    assert.equal(answer.status, 201, answer.text);
    assert.equal(answer.headers.get('content-type'), 'application/scim+json; charset=utf-8');
    const { id, active, userName, meta, emails } = answer.json;
    assert.deepEqual([active, userName, emails[0].value], [true, `Ada@${domain}`, `ada@${domain}`]);
    assert.equal(meta.location, `${planes.controlUrl}/scim/v2/Users/${id}`);
    assert.equal(await roleOf(id), VIEWER);
    assert.deepEqual((await ask('GET', `/Users/${id}`)).json, answer.json);
    for (const filter of [`userName eq "ADA@${domain}"`, 'externalId eq "ext-1"', `userName sw "Ada" and active eq true`]) {
      const { json } = await ask('GET', `/Users?filter=${encodeURIComponent(filter)}`);
      assert.deepEqual([json.totalResults, json.Resources[0]?.id], [1, id], filter);
    }
    assert.equal((await ask('POST', '/Users', user('ada'))).json.scimType, 'uniqueness');
    const renamed = await patch(`/Users/${id}`, { op: 'Replace', path: 'displayName', value: 'Ada Lovelace' });
    assert.deepEqual([renamed.status, renamed.json.displayName, renamed.json.active], [200, 'Ada Lovelace', true]);
    assert.equal(
      (await ask('PUT', `/Users/${id}`, { ...user('ada'), emails: [{ value: `other@${domain}` }] })).json.scimType,
      'mutability',
    );
  });

  test('of a domain that is not verified is not made, whoever they are', async () => {
    for (const userName of ['x@elsewhere.example', `x@sub.${domain}`, 'nobody', `a@b@${domain}`]) {
      const { status, json } = await ask('POST', '/Users', { userName });
      assert.deepEqual([status, json.scimType], [400, 'invalidValue'], userName);
    }
  });

  test('who is not active any more has no session and no key from then on, and comes back without them', async () => {
    for (const end of [
      (id: string) => patch(`/Users/${id}`, { op: 'replace', path: 'active', value: 'False' }),
      (id: string) => ask('PUT', `/Users/${id}`, user(`gone-${id.slice(-4)}`, { active: false })),
      (id: string) => ask('DELETE', `/Users/${id}`),
    ]) {
      const person = await insertPerson(owner, tenant.organization_id, 'admin');
      const email = `gone-${person.id.slice(-4)}@${domain}`.toLowerCase();
      await owner.query('update users set email = $2 where id = $1', [person.id, email]);
      const found = (await ask('GET', `/Users?filter=${encodeURIComponent(`userName eq "${email}"`)}`)).json.Resources[0];
      const key = (await send('POST', '/v1/api-keys', { name: 'k', role_id: VIEWER }, person.token)).json.token;
      const alive = async () => [
        (await send('GET', '/v1/auth/session', undefined, person.token)).status,
        (await send('GET', '/v1/auth/session', undefined, key)).status,
      ];
      assert.deepEqual(await alive(), [200, 200]);
      const ended = await end(found.id.replace(/^/, ''));
      assert.ok(ended.status === 200 || ended.status === 204 || ended.json?.scimType === 'mutability', ended.text);
      if (ended.json?.scimType === 'mutability') await patch(`/Users/${found.id}`, { op: 'replace', value: { active: false } });
      assert.deepEqual(await alive(), [401, 401]);
      await patch(`/Users/${found.id}`, { op: 'replace', path: 'active', value: true });
      assert.deepEqual(await alive(), [401, 401], 'what ended stays ended');
    }
  });

  test('who has an account elsewhere joins with it, told from somebody new by nothing, and keeps it when removed', async () => {
    const elsewhere = await signUp(planes.controlUrl);
    const email = `both@${domain}`;
    await owner.query('update users set email = $2 where id = $1', [elsewhere.user.id, email]);
    const known = await ask('POST', '/Users', user('both'));
    const fresh = await ask('POST', '/Users', user('fresh'));
    const shape = ({ status, json }: typeof known) => [status, Object.keys(json).toSorted()];
    assert.deepEqual(shape(known), shape(fresh));
    assert.equal((await ask('DELETE', `/Users/${known.json.id}`)).status, 204);
    assert.equal((await send('GET', '/v1/auth/session', undefined, elsewhere.token)).status, 200, 'where they were before nothing changed');
    assert.equal((await owner.query('select name from users where id = $1', [elsewhere.user.id])).rows[0].name, elsewhere.user.name);
  });

  test('who owns the organization is neither removed nor given another role', async () => {
    await owner.query('update users set email = $2 where id = $1', [tenant.user.id, `boss@${domain}`]);
    const boss = (await ask('GET', `/Users?filter=${encodeURIComponent(`userName eq "boss@${domain}"`)}`)).json.Resources[0];
    assert.equal((await ask('DELETE', `/Users/${boss.id}`)).status, 403);
    assert.equal((await patch(`/Users/${boss.id}`, { op: 'replace', path: 'active', value: false })).status, 403);
    assert.equal((await ask('POST', '/Groups', { displayName: 'All', members: [{ value: boss.id }] })).status, 201);
    assert.equal(await roleOf(boss.id), OWNER);
  });
});

test('groups stand for roles: the first that is mapped counts, and what changes is in force at once', async () => {
  const [ada, bob] = [await create('ada'), await create('bob')];
  const group = (await ask('POST', '/Groups', { displayName: 'Builders', members: [{ value: ada.id }] })).json;
  assert.deepEqual([await roleOf(ada.id), group.members.length], [VIEWER, 1]);
  const mapped = await send('PATCH', '/v1/sso/scim', { group_roles: [{ group: 'Builders', role_id: DEVELOPER }] });
  assert.equal(mapped.status, 200, mapped.text);
  assert.deepEqual([await roleOf(ada.id), await roleOf(bob.id)], [DEVELOPER, VIEWER]);
  await patch(`/Groups/${group.id}`, { op: 'add', path: 'members', value: [{ value: bob.id }] });
  assert.equal(await roleOf(bob.id), DEVELOPER);
  assert.equal((await ask('GET', `/Users/${bob.id}`)).json.groups[0].display, 'Builders');
  await patch(`/Groups/${group.id}`, { op: 'remove', path: `members[value eq "${ada.id}"]` });
  assert.deepEqual([await roleOf(ada.id), await roleOf(bob.id)], [VIEWER, DEVELOPER]);
  assert.equal((await ask('PUT', `/Groups/${group.id}`, { displayName: 'Others', members: [{ value: bob.id }] })).status, 200);
  assert.equal(await roleOf(bob.id), VIEWER, 'another name stands for nothing');
  assert.equal((await ask('POST', '/Groups', { displayName: 'Others' })).json.scimType, 'uniqueness');
  assert.equal((await ask('DELETE', `/Groups/${group.id}`)).status, 204);
  assert.equal((await send('PATCH', '/v1/sso/scim', { group_roles: [{ group: 'x', role_id: OWNER }] })).status, 400);
  const narrow = await insertPerson(owner, tenant.organization_id, 'viewer', { steppedUp: true });
  assert.equal((await send('PATCH', '/v1/sso/scim', {}, narrow.token)).status, 403);
});

test('nothing that is sent reaches what every object has by birth', async () => {
  const { id } = await create('ada');
  for (const filter of [
    'constructor.polluted eq 1',
    'Constructor.polluted pr',
    '__proto__.polluted eq "x"',
    'emails[toString.x eq 1]',
    'a eq "b" and valueOf.x eq 1',
  ])
    assert.deepEqual((await ask('GET', `/Users?filter=${encodeURIComponent(filter)}`)).json.scimType, 'invalidFilter', filter);
  assert.equal((await ask('GET', `/Users?filter=${encodeURIComponent('userName eq "constructor.x \\" toString"')}`)).status !== 500, true);
  for (const operation of [
    { op: 'add', path: 'constructor.polluted', value: 1 },
    { op: 'replace', value: { constructor: { polluted: 1 } } },
    { op: 'replace', path: 'emails[constructor.polluted eq 1].value', value: 'x' },
    { op: 'replace', value: { 'name.constructor.polluted': 1 } },
  ])
    assert.equal((await patch(`/Users/${id}`, operation)).json.scimType, 'invalidPath', JSON.stringify(operation));
  assert.equal((await ask('POST', '/Users', { ...user('eve'), constructor: { polluted: 1 } })).json.scimType, 'invalidSyntax');
  assert.equal((await ask('POST', '/Groups', { displayName: 'G', toString: 1 })).json.scimType, 'invalidSyntax');
});

test('lists are pages of bounded length, and filters and patches that make no sense are told so in the words of SCIM', async () => {
  for (const name of ['a', 'b', 'c']) await create(name);
  const page = (await ask('GET', '/Users?startIndex=2&count=1&attributes=userName')).json;
  assert.deepEqual([page.totalResults, page.startIndex, page.itemsPerPage, page.Resources.length], [3, 2, 1, 1]);
  assert.deepEqual(Object.keys(page.Resources[0]).toSorted(), ['id', 'meta', 'schemas', 'userName']);
  assert.equal((await ask('GET', '/Users?count=0')).json.Resources.length, 0);
  const { id } = page.Resources[0];
  const typeOf = async (answer: Promise<{ json: { scimType?: string }; status: number }>) => [
    (await answer).status,
    (await answer).json.scimType,
  ];
  for (const filter of ['(((', 'userName eq', '"', 'userName xx "a"', 'x'.repeat(500)])
    assert.equal((await ask('GET', `/Users?filter=${encodeURIComponent(filter)}`)).status, 400, filter);
  assert.deepEqual(await typeOf(patch(`/Users/${id}`, { op: 'boil', path: 'active' })), [400, 'invalidSyntax']);
  assert.deepEqual(await typeOf(patch(`/Users/${id}`, { op: 'replace', path: 'nothing.here', value: 1 })), [400, 'invalidPath']);
  assert.deepEqual(await typeOf(patch(`/Users/${id}`, { op: 'remove', path: 'userName' })), [400, 'invalidValue']);
  for (const body of [
    {},
    { userName: 7 },
    { userName: '' },
    { userName: `a@${domain}`, active: 7 },
    { userName: `a@${domain}`, emails: 'x' },
  ])
    assert.equal((await ask('POST', '/Users', body)).status, 400, JSON.stringify(body));
  assert.equal((await ask('POST', '/Groups', { displayName: 'G', members: [{ value: 'mem_7ZZZZZZZZZZZZZZZZZZZZZZZZZ' }] })).status, 400);
  for (const path of ['/ServiceProviderConfig', '/ResourceTypes', '/Schemas']) assert.equal((await ask('GET', path)).status, 200, path);
  assert.equal((await ask('GET', '/ServiceProviderConfig')).json.patch.supported, true);
});
