import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { HEADERS } from '@svc/contract/tables/wire-name.ts';
import { type NameServer, startNameServer } from '@svc/testing/peers/name-server.ts';
import { newDirectory } from '@svc/testing/people/directory.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';

const CORE = 'urn:ietf:params:scim:schemas:core:2.0';

let planes: Planes;
let names: NameServer;
let directory: Awaited<ReturnType<typeof newDirectory>>;
let ada: { readonly id: string; readonly userName: string; readonly email: string };
before(async () => {
  names = await startNameServer();
  planes = await startPlanes({ gateways: 0, env: { SVC_EGRESS_NAME_SERVERS: names.address } });
  directory = await newDirectory(planes, names);
  const userName = `Ada.O'Neil@${directory.domain}`;
  const { json } = await directory.ask('POST', '/Users', { userName, externalId: 'ext-Ada', displayName: 'Ada "the first"' });
  ada = { id: json.id, userName, email: userName.toLowerCase() };
});
after(async () => {
  await Promise.all([planes.stop(), names.close()]);
});

const at = (location: string) => {
  const base = `${planes.controlUrl}/scim/v2`;
  assert.ok(location.startsWith(`${base}/`), location);
  return directory.ask('GET', location.slice(base.length));
};
const getScimSchema = (id: string) => directory.ask('GET', `/Schemas/${id}`);
const getScimResourceType = (name: string) => directory.ask('GET', `/ResourceTypes/${name}`);

describe('the location of a resource', () => {
  test('is a header of the response that creates a user or a group, and resolves to it', async () => {
    const bodies = { '/Users': { userName: `located@${directory.domain}` }, '/Groups': { displayName: 'Located' } };
    for (const [path, body] of Object.entries(bodies)) {
      const created = await directory.ask('POST', path, body);
      const location = created.headers.get('location') ?? '';
      assert.deepEqual([created.status, location], [201, created.json.meta.location], path);
      const found = await at(location);
      assert.deepEqual([found.status, found.json, found.headers.get('location')], [200, created.json, null], path);
    }
  });

  test('resolves to the same resource for everything that SCIM lists', async () => {
    for (const path of ['/Users', '/Groups', '/Schemas', '/ResourceTypes']) {
      const { json } = await directory.ask('GET', path);
      assert.ok(json.Resources.length > 0, path);
      for (const resource of json.Resources) {
        const found = await at(resource.meta.location);
        assert.deepEqual([found.status, found.json], [200, resource], resource.meta.location);
        assert.equal(found.headers.get('content-type'), 'application/scim+json; charset=utf-8');
      }
    }
    const { json: config } = await directory.ask('GET', '/ServiceProviderConfig');
    assert.deepEqual((await at(config.meta.location)).json, config);
  });

  test('of a schema or resource type that does not exist is not found', async () => {
    assert.equal((await getScimSchema(`${CORE}:User`)).json.name, 'User');
    assert.equal((await getScimSchema(`${CORE}:Group`.toUpperCase())).json.name, 'Group', 'URNs are not case-sensitive');
    assert.equal((await getScimResourceType('Group')).json.schema, `${CORE}:Group`);
    for (const answer of [await getScimSchema(`${CORE}:Device`), await getScimResourceType('Device'), await getScimSchema('constructor')])
      assert.deepEqual([answer.status, answer.json.status], [404, '404'], answer.text);
  });
});

describe('requested attributes', () => {
  test('limit the response to a change as they limit a list', async () => {
    const created = await directory.ask('POST', '/Users?attributes=userName', { userName: `few@${directory.domain}` });
    assert.deepEqual([created.status, Object.keys(created.json).toSorted()], [201, ['id', 'meta', 'schemas', 'userName']], created.text);
    const { id } = created.json;
    const patched = await directory.patch(`/Users/${id}?excludedAttributes=emails,groups`, { op: 'replace', path: 'active', value: false });
    assert.deepEqual([patched.json.active, patched.json.emails], [false, undefined], patched.text);
    const refused = await directory.ask('PUT', `/Users/${id}?attributes=active`, { userName: 'x', active: false });
    assert.deepEqual([refused.status, Object.keys(refused.json).toSorted()], [200, ['active', 'id', 'meta', 'schemas']], refused.text);
    const group = await directory.ask('POST', '/Groups?excludedAttributes=members', { displayName: 'Few', members: [{ value: ada.id }] });
    assert.deepEqual([group.status, group.json.members], [201, undefined], group.text);
    for (const answer of [
      await directory.patch(`/Groups/${group.json.id}?attributes=displayName`, { op: 'add', path: 'members', value: [{ value: id }] }),
      await directory.ask('PUT', `/Groups/${group.json.id}?attributes=displayName`, { displayName: 'Few' }),
    ])
      assert.deepEqual([answer.status, Object.keys(answer.json).toSorted()], [200, ['displayName', 'id', 'meta', 'schemas']], answer.text);
  });
});

const find = (filter: string, path = '/Users') => directory.ask('GET', `${path}?${new URLSearchParams({ filter })}`);

describe('a filter', () => {
  test('finds a user by a value in any valid quoting', async () => {
    const { userName, email, id } = ada;
    const filters = [
      `userName eq "${userName}"`,
      `userName eq '${userName.replace("'", "\\'")}'`,
      `userName eq ${userName}`,
      `userName EQ "${email}"`,
      `${CORE}:User:userName eq '${email.replace("'", "\\'")}'`,
      `externalId eq 'ext-Ada'`,
      `id eq '${id}'`,
      `displayName eq 'Ada "the first"'`,
      `displayName eq "Ada \\"the first\\""`,
      `emails[type eq 'work' and value eq "${email}"]`,
      `emails.value eq "${email}" and active eq 'True'`,
    ];
    for (const filter of filters) {
      const { status, json } = await find(filter);
      assert.deepEqual([status, json.Resources?.map((each: { id: string }) => each.id)], [200, [id]], filter);
    }
  });

  test('compares names and addresses case-insensitively with every operator, and ids and external ids exactly', async () => {
    const start = ada.email.slice(0, 8).toUpperCase();
    for (const filter of [
      `userName sw "${start}"`,
      `userName co "O'NEIL@"`,
      `userName ew "${directory.domain.toUpperCase()}" and externalId sw "ext-A"`,
      `not (userName ne "${ada.email}")`,
      `emails.value sw "${start}"`,
      `userName eq "${ada.email}" or externalId eq "nothing"`,
    ])
      assert.ok(
        (await find(filter)).json.Resources.some((each: { id: string }) => each.id === ada.id),
        filter,
      );
    for (const filter of ['externalId eq "EXT-ADA"', 'externalId sw "EXT" and active eq true', `id eq "${ada.id.toLowerCase()}"`])
      assert.equal((await find(filter)).json.totalResults, 0, filter);
  });

  test('is refused with an open quote, another sign, or a character that text cannot contain', async () => {
    const values = ["'open", "'a'b'", '“ada”', '‘ada’', '`ada`', '"\\u0000"', "'\\u0000'", '"a\\ud800"', '"\\u0000a\\u0001"'];
    for (const path of ['/Users', '/Groups'])
      for (const attribute of ['userName', 'displayName', 'externalId', 'id', 'members.value', 'groups.value', 'emails.value'])
        for (const value of values) {
          const { status, json } = await find(`${attribute} eq ${value}`, path);
          assert.deepEqual([status, json.scimType], [400, 'invalidFilter'], `${path} ${attribute} ${value}`);
        }
  });
});

test('a NUL in any parameter or path is refused and never fails', async () => {
  const text = encodeURIComponent('a\0b');
  for (const path of ['/Users', '/Groups', `/Users/${ada.id}`])
    for (const name of ['filter', 'startIndex', 'count', 'attributes', 'excludedAttributes'])
      assert.equal((await directory.ask('GET', `${path}?${name}=${text}`)).status, 400, `${path} ${name}`);
  for (const path of ['/Users/', '/Groups/', '/Schemas/', '/ResourceTypes/'])
    assert.equal((await directory.ask('GET', `${path}${text}`)).status, 404, path);
  for (const body of [{ displayName: 'a\0b' }, { displayName: 'a', externalId: '\0' }, { displayName: 'a', members: [{ value: '\0' }] }])
    assert.equal((await directory.ask('POST', '/Groups', body)).status, 400, JSON.stringify(body));
  const group = (await directory.ask('POST', '/Groups', { displayName: 'Nul', members: [{ value: ada.id }] })).json;
  for (const path of ['members[value eq "\\u0000"]', "members[value eq '\\u0000']"])
    assert.equal((await directory.patch(`/Groups/${group.id}`, { op: 'remove', path })).json.scimType, 'invalidPath', path);
  const filtered = { op: 'replace', path: 'emails[type eq "\\u0000"].value', value: ada.email };
  assert.equal((await directory.patch(`/Users/${ada.id}`, filtered)).json.scimType, 'invalidPath');
});

describe('accepts primary as text', () => {
  test('is read when a user is created, replaced and changed', async () => {
    const [first, second] = ['first', 'second'].map((name) => `${name}@${directory.domain}`);
    const emails = [
      { value: second, type: 'home', primary: 'False' },
      { value: first, type: 'work', primary: 'True' },
    ];
    const created = await directory.ask('POST', '/Users', { userName: 'primary-1', emails });
    assert.deepEqual([created.status, created.json.emails?.[0].value], [201, first], created.text);
    const { id } = created.json;
    const named = {
      userName: 'primary-1',
      displayName: 'P',
      emails: emails.map(({ primary, ...mail }) => ({ ...mail, Primary: primary })),
    };
    assert.equal((await directory.ask('PUT', `/Users/${id}`, named)).json.displayName, 'P');
    for (const operation of [
      { op: 'Replace', path: 'emails', value: emails },
      { op: 'Add', path: 'emails', value: [{ value: second, primary: 'False' }] },
      { op: 'Replace', path: 'emails[type eq "work"].primary', value: 'True' },
      { op: 'Replace', value: { emails } },
      { op: 'Replace', path: "emails[primary eq 'True'].value", value: first },
    ]) {
      const { status, json, text } = await directory.patch(`/Users/${id}`, operation);
      assert.deepEqual([status, json.emails?.[0].value], [200, first], text);
    }
    assert.equal((await directory.ask('POST', '/Users', { userName: 'p', emails: [{ value: second, primary: 'yes' }] })).status, 400);
  });
});

test('a group that names an attribute twice is refused', async () => {
  const group = (await directory.ask('POST', '/Groups', { displayName: 'Once', members: [{ value: ada.id }] })).json;
  for (const body of [
    { displayName: 'Once', members: [{ value: ada.id }], Members: [] },
    { displayName: 'Once', DisplayName: 'Other' },
  ]) {
    const answer = await directory.ask('PUT', `/Groups/${group.id}`, body);
    assert.deepEqual([answer.status, answer.json.scimType], [400, 'invalidSyntax'], answer.text);
  }
  assert.equal((await directory.ask('GET', `/Groups/${group.id}`)).json.members.length, 1);
});

describe('a scope header', () => {
  test('is refused, since a directory provisions the whole organization', async () => {
    const { tenant } = directory;
    const other = await newDirectory(planes, names);
    const headers = [
      { [HEADERS.workspaceScope]: other.tenant.workspace_id },
      { [HEADERS.environmentScope]: other.tenant.environment_id },
      { [HEADERS.workspaceScope]: 'nothing' },
      { [HEADERS.environmentScope]: '' },
      { [HEADERS.workspaceScope]: tenant.workspace_id, [HEADERS.environmentScope]: other.tenant.environment_id },
    ];
    const calls = (header: Readonly<Record<string, string>>) => [
      () => directory.ask('GET', '/Users', undefined, header),
      () => directory.ask('GET', `/Users/${ada.id}`, undefined, header),
      () => directory.ask('POST', '/Users', { userName: `scoped@${directory.domain}` }, header),
      () => directory.ask('DELETE', `/Users/${ada.id}`, undefined, header),
      () => directory.ask('GET', '/Groups', undefined, header),
      () => directory.ask('GET', '/Schemas', undefined, header),
    ];
    for (const header of headers)
      for (const ask of calls(header)) {
        const { status, json, text } = await ask();
        assert.equal(status, 403, `${JSON.stringify(header)} ${text}`);
        assert.match(json.detail, /scope header/i);
      }
    for (const own of [{ [HEADERS.workspaceScope]: tenant.workspace_id }, { [HEADERS.environmentScope]: tenant.environment_id }])
      for (const ask of calls(own)) {
        const { status, json } = await ask();
        assert.equal(status, 403);
        assert.match(json.detail, /whole organization/);
      }
    assert.equal((await directory.ask('GET', `/Users/${ada.id}`)).json.active, true);
  });
});
