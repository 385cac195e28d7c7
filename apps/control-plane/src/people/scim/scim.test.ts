import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { type NameServer, startNameServer } from '@svc/testing/peers/name-server.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { newTenant, signUp, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { insertMember, insertPerson } from '@svc/testing/records/insert-person.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import { proveAddress } from '@svc/testing/records/prove-address.ts';
import type pg from 'pg';

const [VIEWER, DEVELOPER, AUDITOR, OWNER] = (['viewer', 'developer', 'auditor', 'owner'] as const).map((name) => getBuiltInRole(name).id);
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
  await newControlClient(planes.controlUrl, of.token).testSsoConnection({ params: { connectionId: connection.id }, body: {} });
  const { token: secret } = await newControlClient(planes.controlUrl, of.token).createScimToken({ body: {} });
  return { of, its, secret: secret as string };
};
beforeEach(async () => {
  ({ of: tenant, its: domain, secret: token } = await newDirectory());
});

const USERS = '/Users';
const listScimUsers = (query = '', as?: string) => ask('GET', `${USERS}${query}`, undefined, as);
const createScimUser = (body: object, as?: string) => ask('POST', USERS, body, as);
const getScimUser = (id: string, as?: string) => ask('GET', `${USERS}/${id}`, undefined, as);
const replaceScimUser = (id: string, body: object, as?: string) => ask('PUT', `${USERS}/${id}`, body, as);
const patchScimUser = (id: string, ...Operations: object[]) => ask('PATCH', `${USERS}/${id}`, { schemas: PATCH, Operations });
const deleteScimUser = (id: string, as?: string) => ask('DELETE', `${USERS}/${id}`, undefined, as);
const listScimGroups = (query = '') => ask('GET', `/Groups${query}`);
const createScimGroup = (body: object, as?: string) => ask('POST', '/Groups', body, as);
const getScimGroup = (id: string, as?: string) => ask('GET', `/Groups/${id}`, undefined, as);
const replaceScimGroup = (id: string, body: object) => ask('PUT', `/Groups/${id}`, body);
const patchScimGroup = (id: string, ...Operations: object[]) => ask('PATCH', `/Groups/${id}`, { schemas: PATCH, Operations });
const deleteScimGroup = (id: string, as?: string) => ask('DELETE', `/Groups/${id}`, undefined, as);
const getScimServiceProviderConfig = () => ask('GET', '/ServiceProviderConfig');
const listScimResourceTypes = () => ask('GET', '/ResourceTypes');
const listScimSchemas = () => ask('GET', '/Schemas');
const getScimConfiguration = () => send('GET', '/v1/sso/scim');
const updateScimConfiguration = (body: object, as?: string) => send('PATCH', '/v1/sso/scim', body, as);
const createScimToken = (as?: string) => send('POST', '/v1/sso/scim-token', {}, as);
const revokeScimToken = () => send('DELETE', '/v1/sso/scim-token');

const user = (name: string, more: object = {}) => ({ userName: `${name}@${domain}`, name: { givenName: 'G', familyName: name }, ...more });
const create = async (name: string, more: object = {}) => (await createScimUser(user(name, more))).json;
const readRole = async (id: string) =>
  (await owner.query('select role_id from members where organization_id = $1 and id = $2', [tenant.organization_id, id])).rows[0]?.role_id;

describe('the token of a directory', () => {
  test('is returned once, stored as a hash, works for SCIM alone, and is replaced by the next one', async () => {
    assert.match(token, /^svc_scim_[0-9A-Za-z]{49}$/);
    const kept = await owner.query('select s::text as row from scim_settings s union all select e::text from audit_events e');
    assert.ok(!JSON.stringify(kept.rows).includes(token));
    assert.equal((await send('GET', '/v1/auth/session', undefined, token)).status, 401);
    assert.equal((await listScimUsers('', tenant.token)).status, 401);
    const { json } = await createScimToken();
    assert.equal((await listScimUsers()).status, 401);
    assert.equal((await listScimUsers('', json.token)).status, 200);
    await revokeScimToken();
    const refused = await listScimUsers('', json.token);
    assert.deepEqual([refused.status, refused.json.schemas], [401, ['urn:ietf:params:scim:api:messages:2.0:Error']]);
  });

  test('reaches its own organization, and finds nothing of another', async () => {
    const mine = await create('mine');
    const group = (await createScimGroup({ displayName: 'Mine', members: [{ value: mine.id }] })).json;
    const other = await newDirectory();
    const told = async (asked: Promise<{ status: number; text: string }>) => [(await asked).status, (await asked).text];
    assert.deepEqual(
      await told(getScimUser(mine.id, other.secret)),
      await told(getScimUser('mem_7ZZZZZZZZZZZZZZZZZZZZZZZZZ', other.secret)),
    );
    assert.deepEqual(
      await told(getScimGroup(group.id, other.secret)),
      await told(getScimGroup('grp_7ZZZZZZZZZZZZZZZZZZZZZZZZZ', other.secret)),
    );
    for (const [method, path, body] of [
      ['PUT', `${USERS}/${mine.id}`, user('mine')],
      ['DELETE', `${USERS}/${mine.id}`],
      ['DELETE', `/Groups/${group.id}`],
      ['PATCH', `${USERS}/${mine.id}`, { schemas: PATCH, Operations: [{ op: 'replace', path: 'active', value: false }] }],
    ] as const)
      assert.equal((await ask(method, path, body, other.secret)).status, 404, path);
    const theirs = await createScimGroup({ displayName: 'x', members: [{ value: mine.id }] }, other.secret);
    assert.equal(theirs.status, 400);
    assert.ok(!(await listScimUsers('', other.secret)).text.includes(mine.id));
  });
});

test('enabling a directory requires the roles that it assigns, in the whole organization', async () => {
  const roleId = `rol_${newUlid()}`;
  await owner.query("insert into roles (id, organization_id, name, permissions) values ($1, $2, 'sso', array['sso:read', 'sso:update'])", [
    ...[roleId, tenant.organization_id],
  ]);
  const editor = await insertPerson(owner, tenant.organization_id, { id: roleId }, { steppedUp: true });
  const limited = await insertPerson(owner, tenant.organization_id, 'admin', { steppedUp: true, workspaces: [tenant.workspace_id] });
  await updateScimConfiguration({ group_roles: [{ group: 'Makers', role_id: DEVELOPER }] });
  for (const { token: as } of [editor, limited])
    assert.deepEqual([(await createScimToken(as)).json.error?.code, (await listScimUsers()).status], ['PERMISSION_DENIED', 200]);
  assert.equal((await updateScimConfiguration({ default_role_id: DEVELOPER }, limited.token)).json.error?.code, 'PERMISSION_DENIED');
});

describe('a person', () => {
  test('is created as a member of a verified domain, listed, found by name, renamed, and created once', async () => {
    const answer = await createScimUser(user('Ada', { externalId: 'ext-1', displayName: 'Ada L.' }));
    assert.equal(answer.status, 201, answer.text);
    assert.equal(answer.headers.get('content-type'), 'application/scim+json; charset=utf-8');
    const { id, active, userName, meta, emails } = answer.json;
    assert.deepEqual([active, userName, emails[0].value], [true, `Ada@${domain}`, `ada@${domain}`]);
    assert.equal(meta.location, `${planes.controlUrl}/scim/v2${USERS}/${id}`);
    assert.equal(await readRole(id), VIEWER);
    assert.deepEqual((await getScimUser(id)).json, answer.json);
    for (const filter of [`userName eq "ADA@${domain}"`, 'externalId eq "ext-1"', `userName sw "Ada" and active eq true`]) {
      const { json } = await listScimUsers(`?filter=${encodeURIComponent(filter)}`);
      assert.deepEqual([json.totalResults, json.Resources[0]?.id], [1, id], filter);
    }
    assert.equal((await createScimUser(user('ada'))).json.scimType, 'uniqueness');
    const renamed = await patchScimUser(id, { op: 'Replace', path: 'displayName', value: 'Ada Lovelace' });
    assert.deepEqual([renamed.status, renamed.json.displayName, renamed.json.active], [200, 'Ada Lovelace', true]);
    assert.equal((await replaceScimUser(id, { ...user('ada'), emails: [{ value: `other@${domain}` }] })).json.scimType, 'mutability');
  });

  test('of an unverified domain is not created', async () => {
    for (const userName of ['x@elsewhere.example', `x@sub.${domain}`, 'nobody', `a@b@${domain}`]) {
      const { status, json } = await createScimUser({ userName });
      assert.deepEqual([status, json.scimType], [400, 'invalidValue'], userName);
    }
  });

  test('who is deactivated has no session or key from then on, and returns without them', async () => {
    for (const end of [
      (id: string) => patchScimUser(id, { op: 'replace', path: 'active', value: 'False' }),
      (id: string) => replaceScimUser(id, user(`gone-${id.slice(-4)}`, { active: false })),
      (id: string) => deleteScimUser(id),
    ]) {
      const person = await insertPerson(owner, tenant.organization_id, 'admin');
      const email = `gone-${person.id.slice(-4)}@${domain}`.toLowerCase();
      await owner.query('update users set email = $2 where id = $1', [person.id, email]);
      const found = (await listScimUsers(`?filter=${encodeURIComponent(`userName eq "${email}"`)}`)).json.Resources[0];
      const key = (await send('POST', '/v1/api-keys', { name: 'k', role_id: VIEWER }, person.token)).json.token;
      const alive = async () => [
        (await send('GET', '/v1/auth/session', undefined, person.token)).status,
        (await send('GET', '/v1/auth/session', undefined, key)).status,
      ];
      assert.deepEqual(await alive(), [200, 200]);
      const ended = await end(found.id.replace(/^/, ''));
      assert.ok(ended.status === 200 || ended.status === 204 || ended.json?.scimType === 'mutability', ended.text);
      if (ended.json?.scimType === 'mutability') await patchScimUser(found.id, { op: 'replace', value: { active: false } });
      assert.deepEqual(await alive(), [401, 401]);
      await patchScimUser(found.id, { op: 'replace', path: 'active', value: true });
      assert.deepEqual(await alive(), [401, 401], 'what ended stays ended');
    }
  });

  test('who is deactivated is reactivated only while the domain of the address is verified, also if the directory created them', async () => {
    const { id } = await create('gone');
    assert.equal((await patchScimUser(id, { op: 'replace', path: 'active', value: false })).json.active, false);
    const lose = 'update sso_domains set verified_at = null where organization_id = $1';
    await owner.query(lose, [tenant.organization_id]);
    const back = () => patchScimUser(id, { op: 'replace', path: 'active', value: true });
    const refused = await back();
    assert.deepEqual([refused.status, refused.json.scimType], [400, 'invalidValue'], refused.text);
    assert.equal((await replaceScimUser(id, user('gone', { active: true }))).status, 400);
    assert.equal((await owner.query('select from members where id = $1', [id])).rowCount, 0);
    await owner.query('update sso_domains set verified_at = now() where organization_id = $1', [tenant.organization_id]);
    assert.equal((await back()).json.active, true);
  });

  test('with an account elsewhere joins with it, indistinguishably from a new one, and keeps it when removed', async () => {
    const elsewhere = await signUp(planes.controlUrl);
    const email = `both@${domain}`;
    await owner.query('update users set email = $2 where id = $1', [elsewhere.user.id, email]);
    await proveAddress(owner, { email });
    const known = await createScimUser(user('both'));
    const fresh = await createScimUser(user('fresh'));
    const shape = ({ status, json }: typeof known) => [status, Object.keys(json).toSorted()];
    assert.deepEqual(shape(known), shape(fresh));
    assert.equal((await deleteScimUser(known.json.id)).status, 204);
    assert.equal((await send('GET', '/v1/auth/session', undefined, elsewhere.token)).status, 200, 'where they were before nothing changed');
    assert.equal((await owner.query('select name from users where id = $1', [elsewhere.user.id])).rows[0].name, elsewhere.user.name);
  });

  test('whose address an attacker signed up with joins as the directory states, and nothing of the attacker remains', async () => {
    const stranger = await signUp(planes.controlUrl);
    const email = `squatted@${domain}`;
    await owner.query('update users set email = $2 where id = $1', [stranger.user.id, email]);
    const made = await createScimUser({ ...user('squatted'), active: false });
    assert.equal((await send('GET', '/v1/auth/session', undefined, stranger.token)).status, 200, 'nobody has joined yet');
    assert.equal((await patchScimUser(made.json.id, { op: 'replace', path: 'active', value: true })).status, 200);
    assert.equal((await send('GET', '/v1/auth/session', undefined, stranger.token)).status, 401);
    const login = { email, password: stranger.password };
    assert.equal((await send('POST', '/v1/auth/login', login)).status, 401);
    const { rows } = await owner.query(
      'select m.provisioned_by, u.email_verified_at is not null as proved from members m join users u on u.id = m.user_id where m.id = $1',
      [made.json.id],
    );
    assert.deepEqual(rows, [{ provisioned_by: 'SCIM', proved: true }]);
  });

  test('who owns the organization cannot be removed or get another role', async () => {
    await owner.query('update users set email = $2 where id = $1', [tenant.user.id, `boss@${domain}`]);
    const boss = (await listScimUsers(`?filter=${encodeURIComponent(`userName eq "boss@${domain}"`)}`)).json.Resources[0];
    assert.equal((await deleteScimUser(boss.id)).status, 403);
    assert.equal((await patchScimUser(boss.id, { op: 'replace', path: 'active', value: false })).status, 403);
    assert.equal((await createScimGroup({ displayName: 'All', members: [{ value: boss.id }] })).status, 201);
    assert.equal(await readRole(boss.id), OWNER);
  });
});

test('groups map to roles: the first mapped one counts, and changes apply at once', async () => {
  const [ada, bob] = [await create('ada'), await create('bob')];
  const group = (await createScimGroup({ displayName: 'Builders', members: [{ value: ada.id }] })).json;
  assert.deepEqual([await readRole(ada.id), group.members.length], [VIEWER, 1]);
  const mapped = await updateScimConfiguration({ group_roles: [{ group: 'Builders', role_id: DEVELOPER }] });
  assert.equal(mapped.status, 200, mapped.text);
  assert.deepEqual([await readRole(ada.id), await readRole(bob.id)], [DEVELOPER, VIEWER]);
  await patchScimGroup(group.id, { op: 'add', path: 'members', value: [{ value: bob.id }] });
  assert.equal(await readRole(bob.id), DEVELOPER);
  assert.equal((await getScimUser(bob.id)).json.groups[0].display, 'Builders');
  await patchScimGroup(group.id, { op: 'remove', path: `members[value eq "${ada.id}"]` });
  assert.deepEqual([await readRole(ada.id), await readRole(bob.id)], [VIEWER, DEVELOPER]);
  assert.equal((await replaceScimGroup(group.id, { displayName: 'Others', members: [{ value: bob.id }] })).status, 200);
  assert.equal(await readRole(bob.id), VIEWER, 'another name stands for nothing');
  assert.equal((await createScimGroup({ displayName: 'Others' })).json.scimType, 'uniqueness');
  await createScimGroup({ displayName: 'Auditors', members: [{ value: bob.id }] });
  const [others, auditors] = [
    { group: 'Others', role_id: DEVELOPER },
    { group: 'Auditors', role_id: AUDITOR },
  ];
  await updateScimConfiguration({ group_roles: [others, auditors] });
  assert.equal(await readRole(bob.id), DEVELOPER, 'of two that are mapped the first');
  await updateScimConfiguration({ group_roles: [auditors, others] });
  assert.equal(await readRole(bob.id), AUDITOR, 'and the other one where it comes first');
  await updateScimConfiguration({ group_roles: [others, auditors] });
  assert.equal((await deleteScimGroup(group.id)).status, 204);
  assert.deepEqual(
    [await readRole(bob.id), (await getScimGroup(group.id)).status],
    [AUDITOR, 404],
    'a group that is gone stands for nothing',
  );
  assert.equal((await updateScimConfiguration({ group_roles: [{ group: 'x', role_id: OWNER }] })).status, 400);
  const narrow = await insertPerson(owner, tenant.organization_id, 'viewer', { steppedUp: true });
  assert.equal((await updateScimConfiguration({}, narrow.token)).status, 403);
});

test('member names of the object prototype have no effect', async () => {
  const { id } = await create('ada');
  for (const filter of [
    'constructor.polluted eq 1',
    'Constructor.polluted pr',
    '__proto__.polluted eq "x"',
    'emails[toString.x eq 1]',
    'a eq "b" and valueOf.x eq 1',
  ])
    assert.deepEqual((await listScimUsers(`?filter=${encodeURIComponent(filter)}`)).json.scimType, 'invalidFilter', filter);
  assert.equal((await listScimUsers(`?filter=${encodeURIComponent('userName eq "constructor.x \\" toString"')}`)).status !== 500, true);
  for (const operation of [
    { op: 'add', path: 'constructor.polluted', value: 1 },
    { op: 'replace', value: { constructor: { polluted: 1 } } },
    { op: 'replace', path: 'emails[constructor.polluted eq 1].value', value: 'x' },
    { op: 'replace', value: { 'name.constructor.polluted': 1 } },
  ])
    assert.equal((await patchScimUser(id, operation)).json.scimType, 'invalidPath', JSON.stringify(operation));
  assert.equal((await createScimUser({ ...user('eve'), constructor: { polluted: 1 } })).json.scimType, 'invalidSyntax');
  assert.equal((await createScimGroup({ displayName: 'G', toString: 1 })).json.scimType, 'invalidSyntax');
});

test('an expensive filter of a directory delays no one else', async () => {
  const { id } = await create('ada');
  const group = (await createScimGroup({ displayName: 'G', members: [{ value: id }] })).json;
  const most = (text: string): string => text.repeat(Math.floor(60_000 / text.length));
  const paths = [most('"\\'), `a${most('.')}`, most('['), most('members['), `members[${most('value eq "1" and ')}value pr]`];
  const crossed = `${'(a pr or b pr) and '.repeat(25)}a pr`.slice(0, 499);
  const took = async (asked: () => Promise<{ status: number; text: string }>): Promise<[number, number]> => {
    const startedAt = performance.now();
    const { status } = await asked();
    return [status, performance.now() - startedAt];
  };
  const attacks = [
    ...paths.flatMap((path) => [
      () => patchScimGroup(group.id, { op: 'replace', path, value: 'x' }),
      () => patchScimUser(id, { op: 'replace', value: { [path]: 'x' } }),
    ]),
    // The filter parses, and quickly.
    () => listScimUsers(`?filter=${encodeURIComponent(crossed)}`),
    () => patchScimUser(id, { op: 'replace', path: `emails[${crossed.slice(0, 400)}].value`, value: 'x' }),
  ];
  for (const [index, attack] of attacks.entries()) {
    const [status, ms] = await took(attack);
    assert.equal(status, index === paths.length * 2 ? 200 : 400, String(index));
    assert.ok(ms < 1_500, `${index} took ${Math.round(ms)} ms`);
  }
  assert.equal((await createScimUser({ ...user('eve'), path: paths[0], [paths[1] ?? '']: 1 })).status, 201);
  const members = Array.from({ length: 5_000 }, (_, index) => ({ value: `mem_${newUlid()}${index}` }));
  const [status, ms] = await took(() => createScimGroup({ displayName: 'Many', members: members }));
  assert.deepEqual([status, ms < 1_500], [400, true], `${ms}`);
});

test('lists are bounded pages, and invalid filters and patches get SCIM errors', async () => {
  for (const name of ['a', 'b', 'c']) await create(name);
  const page = (await listScimUsers('?startIndex=2&count=1&attributes=userName')).json;
  assert.deepEqual([page.totalResults, page.startIndex, page.itemsPerPage, page.Resources.length], [3, 2, 1, 1]);
  assert.deepEqual(Object.keys(page.Resources[0]).toSorted(), ['id', 'meta', 'schemas', 'userName']);
  assert.equal((await listScimUsers('?count=0')).json.Resources.length, 0);
  const { id } = page.Resources[0];
  const readType = async (answer: Promise<{ json: { scimType?: string }; status: number }>) => [
    (await answer).status,
    (await answer).json.scimType,
  ];
  for (const filter of ['(((', 'userName eq', '"', 'userName xx "a"', 'x'.repeat(500)])
    assert.equal((await listScimUsers(`?filter=${encodeURIComponent(filter)}`)).status, 400, filter);
  assert.deepEqual(await readType(patchScimUser(id, { op: 'boil', path: 'active' })), [400, 'invalidSyntax']);
  assert.deepEqual(await readType(patchScimUser(id, { op: 'replace', path: 'nothing.here', value: 1 })), [400, 'invalidPath']);
  assert.deepEqual(await readType(patchScimUser(id, { op: 'remove', path: 'userName' })), [400, 'invalidValue']);
  for (const body of [
    {},
    { userName: 7 },
    { userName: '' },
    { userName: `a@${domain}`, active: 7 },
    { userName: `a@${domain}`, emails: 'x' },
  ])
    assert.equal((await createScimUser(body)).status, 400, JSON.stringify(body));
  const [unnamed, uncounted] = [await createScimUser({}), await listScimUsers('?count=many')];
  assert.match(unnamed.json.detail, /^The body is not valid\. \/userName: This member is required\.$/);
  assert.match(uncounted.json.detail, /^The query is not valid\. \/count: Must be a whole number\.$/);
  assert.equal((await createScimGroup({ displayName: 'G', members: [{ value: 'mem_7ZZZZZZZZZZZZZZZZZZZZZZZZZ' }] })).status, 400);
  assert.equal((await getScimServiceProviderConfig()).json.patch.supported, true);
  assert.equal((await listScimResourceTypes()).json.totalResults, 2);
  assert.equal((await listScimSchemas()).json.Resources[0].id, 'urn:ietf:params:scim:schemas:core:2.0:User');
  assert.equal((await listScimGroups()).json.totalResults, 0);
  assert.equal((await getScimConfiguration()).json.default_role_id, VIEWER);
});

test('a response holds a bounded number of memberships, and reads only requested ones', async () => {
  const { organization_id } = tenant;
  const mark = newUlid().slice(0, 18);
  const numbered = "left('mem_' || $2, 22) || lpad(n::text, 8, '0')";
  await owner.query(
    `with people as (insert into users (id, email, name, password_hash) select 'usr_' || $2 || n, lower('usr_' || $2 || n || '@' || $3), 'P', null
       from generate_series(1, 5000) n)
     insert into scim_users (organization_id, id, user_id, user_name, email, made_user)
     select $1, ${numbered}, 'usr_' || $2 || n, lower('usr_' || $2 || n || '@' || $3), lower('usr_' || $2 || n || '@' || $3), true from generate_series(1, 5000) n`,
    [organization_id, mark, domain],
  );
  for (const name of ['Big 1', 'Big 2', 'Big 3', 'Small']) {
    const { id } = (await createScimGroup({ displayName: name })).json;
    await owner.query(
      `insert into scim_group_members (organization_id, group_id, member_id) select $1, $3, ${numbered} from generate_series(1, $4::int) n`,
      [organization_id, mark, id, name === 'Small' ? 1 : 5_000],
    );
  }
  const list = async (query: Readonly<Record<string, string>>) => (await listScimGroups(`?${new URLSearchParams(query)}`)).json;
  type Listed = { id: string; displayName: string; members?: { value: string }[] };
  const sizes = ({ Resources }: { Resources: Listed[] }) => Resources.map(({ members }) => members?.length);
  const first = await list({});
  assert.deepEqual([first.totalResults, first.itemsPerPage, sizes(first)], [4, 2, [5_000, 5_000]]);
  assert.deepEqual(sizes(await list({ startIndex: '3' })), [5_000, 1]);
  assert.deepEqual(sizes(await list({ filter: 'displayName sw "Big"' })), [5_000, 5_000]);
  for (const query of [{ excludedAttributes: 'members' }, { attributes: 'displayName' }, { count: '3', excludedAttributes: 'Members' }]) {
    const { Resources } = await list(query);
    assert.equal(Resources.length, 'count' in query ? 3 : 4);
    assert.ok(Resources.every(({ members }: Listed) => members === undefined));
  }
  for (const filter of ['members pr', 'displayName sw "Big" and members.display co "x"']) {
    const told = await list({ filter });
    assert.deepEqual([told.status, told.scimType], ['400', 'tooMany'], filter);
  }
  const [{ members }] = first.Resources;
  const [one, other] = [members[0].value, members[4_999].value];
  const namesBy = async (filter: string) =>
    (await list({ filter, excludedAttributes: 'members' })).Resources.map(({ displayName }: Listed) => displayName);
  assert.deepEqual(await namesBy(`members.value eq "${one}"`), ['Big 1', 'Big 2', 'Big 3', 'Small']);
  assert.deepEqual(await namesBy(`members[value eq "${other}"]`), ['Big 1', 'Big 2', 'Big 3']);
  assert.deepEqual(await namesBy(`displayName sw "Big" and members eq "${one}"`), ['Big 1', 'Big 2', 'Big 3']);
  assert.deepEqual(await namesBy(`id eq "${first.Resources[0].id}" and members eq "${other}"`), ['Big 1']);
  assert.deepEqual(await namesBy(`displayName eq "Small" and members eq "${other}"`), []);
  const bare = await ask('GET', `/Groups/${first.Resources[0].id}?excludedAttributes=members`);
  assert.deepEqual([bare.json.displayName, bare.json.members], ['Big 1', undefined]);
  const inSmall = (
    await listScimUsers(`?${new URLSearchParams({ filter: `groups.value eq "${(await list({ startIndex: '4' })).Resources[0].id}"` })}`)
  ).json;
  assert.deepEqual([inSmall.totalResults, inSmall.Resources[0].id, inSmall.Resources[0].groups.length], [1, one, 4]);
});

test('a token is refused once its creator lacks the permission to create one', async () => {
  const status = async () => (await listScimUsers()).status;
  const remade = async () => {
    token = (await send('POST', '/v1/sso/scim-token', {}, maker.token)).json.token;
    assert.equal(await status(), 200);
  };
  const maker = await insertPerson(owner, tenant.organization_id, 'admin', { steppedUp: true });
  const change = (set: string) =>
    owner.query(`update members set ${set} where organization_id = $1 and user_id = $2`, [tenant.organization_id, maker.id]);
  await remade();
  assert.equal((await getScimConfiguration()).json.token_created_by, maker.id);
  await change(`role_id = '${DEVELOPER}'`);
  assert.equal(await status(), 401, 'who was demoted');
  await change(`role_id = '${getBuiltInRole('admin').id}'`);
  assert.equal(await status(), 200);
  await change('is_limited = true');
  assert.equal(await status(), 401, 'who sees a part alone');
  await change('is_limited = false');
  await owner.query('delete from members where organization_id = $1 and user_id = $2', [tenant.organization_id, maker.id]);
  assert.equal(await status(), 401, 'who was removed');
  await insertMember(owner, { organizationId: tenant.organization_id, userId: maker.id, roleId: getBuiltInRole('admin').id });
  assert.equal(await status(), 401, 'who came back');
});
