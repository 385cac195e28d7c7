import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { countStatements } from '@svc/testing/database/count-statements.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { newTenant, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const [VIEWER, DEVELOPER] = [getBuiltInRole('viewer').id, getBuiltInRole('developer').id];
const PEOPLE = LIMITS.scim.groupMembersMax;

const s = createScene({ steppedUp: true });

/** Creates a group of the maximum size whose members the directory created. */
const newLargeGroup = async (directory: string, { organization_id }: Tenant): Promise<string> => {
  const made = await call(s.planes.controlUrl, 'POST', '/scim/v2/Groups', {
    token: directory,
    headers: { 'content-type': 'application/scim+json' },
    raw: JSON.stringify({ displayName: 'Everybody' }),
  });
  const mark = newUlid().slice(0, 18);
  const numbered = (prefix: string) => `'${prefix}_${mark}' || lpad(n::text, 8, '0')`;
  const each = `from generate_series(1, ${PEOPLE}) n`;
  const address = `lower('${mark}') || n || '@example.com'`;
  await s.owner.query(`insert into users (id, email, name) select ${numbered('usr')}, ${address}, 'P' ${each}`);
  await s.owner.query(
    `insert into members (organization_id, id, user_id, role_id) select $1, ${numbered('mem')}, ${numbered('usr')}, $2 ${each}`,
    [organization_id, VIEWER],
  );
  await s.owner.query(
    `insert into scim_users (organization_id, id, user_id, user_name, email, made_user)
     select $1, ${numbered('mem')}, ${numbered('usr')}, ${address}, ${address}, true ${each}`,
    [organization_id],
  );
  await s.owner.query(`insert into scim_group_members (organization_id, group_id, member_id) select $1, $2, ${numbered('mem')} ${each}`, [
    organization_id,
    made.json.id,
  ]);
  return made.json.id;
};

test('the largest group gets the role of its new name in one request, with an event for each member', async () => {
  const { token, organization_id } = s.tenant;
  const send = (method: string, path: string, body: object) => mustCall(s.planes.controlUrl, method, path, { token, body });
  const { token: directory } = await send('POST', '/v1/sso/scim-token', {});
  await send('PATCH', '/v1/sso/scim', { group_roles: [{ group: 'Builders', role_id: DEVELOPER }] });
  const group = await newLargeGroup(directory, s.tenant);
  const renamed = await call(s.planes.controlUrl, 'PATCH', `/scim/v2/Groups/${group}`, {
    token: directory,
    headers: { 'content-type': 'application/scim+json' },
    raw: JSON.stringify({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'replace', path: 'displayName', value: 'Builders' }],
    }),
  });
  assert.equal(renamed.status, 200, renamed.text.slice(0, 300));
  const { rows: roles } = await s.owner.query('select role_id, count(*)::int as n from members where organization_id = $1 group by 1', [
    organization_id,
  ]);
  assert.deepEqual(
    roles.filter(({ role_id }) => role_id === VIEWER || role_id === DEVELOPER),
    [{ role_id: DEVELOPER, n: PEOPLE }],
  );
  const { rows: told } = await s.owner.query(
    `select count(distinct subject_id)::int as n from audit_events where organization_id = $1 and type = 'member.role_changed'`,
    [organization_id],
  );
  assert.equal(told[0].n, PEOPLE);
});

test('a directory changes the roles of a limited number of people per minute, and the rest stays unchanged', async () => {
  const busy = await newTenant(s.planes);
  await stepUp(s.planes.controlUrl, busy);
  const send = (method: string, path: string, body: object) => call(s.planes.controlUrl, method, path, { token: busy.token, body });
  const { token: directory } = (await send('POST', '/v1/sso/scim-token', {})).json;
  await send('PATCH', '/v1/sso/scim', { group_roles: [{ group: 'Builders', role_id: DEVELOPER }] });
  const path = `/scim/v2/Groups/${await newLargeGroup(directory, busy)}`;
  const rename = (value: string) =>
    call(s.planes.controlUrl, 'PATCH', path, {
      token: directory,
      headers: { 'content-type': 'application/scim+json' },
      raw: JSON.stringify({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op: 'replace', path: 'displayName', value }],
      }),
    });
  for (const name of Array.from({ length: LIMITS.scim.rolesSetPerMinuteMax / PEOPLE }, (_, n) => (n % 2 === 0 ? 'Builders' : 'Readers')))
    assert.equal((await rename(name)).status, 200);

  const beyond = await rename('Builders');
  assert.equal(beyond.status, 429, beyond.text.slice(0, 300));
  assert.ok(Number(beyond.headers.get('retry-after')) >= 1);
  const said = await send('PATCH', '/v1/sso/scim', { group_roles: [{ group: 'Readers', role_id: DEVELOPER }] });
  assert.deepEqual([said.status, said.json.error?.code], [429, 'RATE_LIMITED']);
  const group = await call(s.planes.controlUrl, 'GET', path, { token: directory });
  assert.equal(group.json.displayName, 'Readers');
  const { rows } = await s.owner.query('select count(*)::int as n from members where organization_id = $1 and role_id = $2', [
    busy.organization_id,
    DEVELOPER,
  ]);
  assert.deepEqual(rows, [{ n: 0 }]);
  // A change that gives no one another role still works.
  assert.equal((await rename('Writers')).status, 200);
});

test('the largest group of new people is stored in one statement', async () => {
  const { token, organization_id } = s.tenant;
  const { token: directory } = await newControlClient(s.planes.controlUrl, token).createScimToken({ body: {} });
  const mark = newUlid().slice(0, 18);
  const domain = `${mark.toLowerCase()}.example.com`;
  const each = `from generate_series(1, ${PEOPLE}) n`;
  const numbered = (prefix: string) => `'${prefix}_${mark}' || lpad(n::text, 8, '0')`;
  await s.owner.query(`insert into users (id, email, name) select ${numbered('usr')}, 'p' || n || '@${domain}', 'P' ${each}`);
  await s.owner.query(
    `insert into members (organization_id, id, user_id, role_id) select $1, ${numbered('mem')}, ${numbered('usr')}, $2 ${each}`,
    [organization_id, VIEWER],
  );
  const connection = `sso_${newUlid()}`;
  await s.owner.query('begin; set local session_replication_role = replica');
  await s.owner.query(
    `insert into sso_domains (organization_id, connection_id, domain, challenge, verified_at) values ($1, $2, $3, 'test', now())`,
    [organization_id, connection, domain],
  );
  await s.owner.query('commit');
  const members = Array.from({ length: PEOPLE }, (_, at) => ({ value: `mem_${mark}${String(at + 1).padStart(8, '0')}` }));
  const make = (displayName: string, of: readonly object[]) =>
    call(s.planes.controlUrl, 'POST', '/scim/v2/Groups', {
      token: directory,
      headers: { 'content-type': 'application/scim+json' },
      raw: JSON.stringify({ displayName, members: of }),
    });

  const stranger = `mem_${newUlid()}`;
  const refused = await make('With a stranger', [...members.slice(0, 3), { value: stranger }]);
  assert.deepEqual([refused.status, refused.json.detail], [400, `There is no user ${stranger}.`]);

  const inserts = await countStatements(s.owner, 'scim_users', 'insert');
  const made = await make('First spoken of', members);
  const statements = await inserts.count();
  await inserts.end();
  assert.equal(made.status, 201, made.text.slice(0, 300));
  assert.equal(statements, 1);
  assert.equal(made.json.members.length, PEOPLE);
  const { rows } = await s.owner.query(
    'select count(*)::int as n, bool_or(made_user) as made, min(user_name) as first from scim_users where organization_id = $1 and user_name like $2',
    [organization_id, `%@${domain}`],
  );
  assert.deepEqual(rows, [{ n: PEOPLE, made: false, first: `p1000@${domain}` }]);
});
