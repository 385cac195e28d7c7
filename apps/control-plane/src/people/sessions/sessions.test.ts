import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { call } from '@svc/testing/people/client.ts';
import { type SignedUp, signUp } from '@svc/testing/people/tenant.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { insertMember, insertPerson } from '@svc/testing/records/insert-person.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';

const VIEWER = 'rol_00000000000000000000000007';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

let planes: Planes;
let owner: pg.Client;
let person: SignedUp;
before(async () => {
  planes = await leasePlanes();
  owner = await planes.database.client();
});
after(async () => {
  await owner.end();
  await planes.stop();
});
beforeEach(async () => {
  person = await signUp(planes.controlUrl);
});

const ask = (token: string, method: string, path: string, body?: object) =>
  call(planes.controlUrl, method, path, { token, ...(body ? { body } : {}) });
const login = async (headers: Record<string, string> = {}): Promise<string> =>
  (await call(planes.controlUrl, 'POST', '/v1/auth/login', { body: { email: person.email, password: person.password }, headers })).json
    .token;
const listSessions = async (token: string) => (await ask(token, 'GET', '/v1/auth/sessions')).json;
const readStatus = async (token: string) => (await ask(token, 'GET', '/v1/auth/session')).status;
const joinElsewhere = async (): Promise<SignedUp> => {
  const other = await signUp(planes.controlUrl);
  await insertMember(owner, { organizationId: other.organization.id, userId: person.user.id, roleId: VIEWER });
  return other;
};

test('the list returns every valid session, with device, addresses, times and proofs, and marks the current one', async () => {
  const second = await login({ 'user-agent': FIREFOX });
  const sessions = await listSessions(second);
  assert.equal(sessions.length, 2);
  const [current] = sessions.filter((each: { current: boolean }) => each.current);
  assert.deepEqual(
    [current.device, current.source_ip, current.last_used_from, current.amr, current.organization.id],
    ['Firefox on Linux', '127.0.0.1', '127.0.0.1', ['PASSWORD'], person.organization.id],
  );
  assert.ok(!JSON.stringify(sessions).includes(FIREFOX) && !JSON.stringify(sessions).includes('svc_ses_'));
  await owner.query("update sessions set last_used_at = now() - interval '3601 seconds' where id = $1", [
    sessions.find((each: { current: boolean }) => !each.current).id,
  ]);
  assert.deepEqual(
    (await listSessions(second)).map(({ id }: { id: string }) => id),
    [current.id],
  );
});

test('the last use of a session is recorded, and its start stays', async () => {
  const token = await login();
  const [{ id }] = await listSessions(token);
  await owner.query(
    "update sessions set source_ip = '192.0.2.1', last_used_from = '192.0.2.2', last_used_at = now() - interval '10 minutes' where id = $1",
    [id],
  );
  const shown = async () => (await listSessions(token)).find((each: { id: string }) => each.id === id);
  await waitUntil('its use is noted', async () => (await shown()).last_used_from === '127.0.0.1');
  const { source_ip, last_used_at } = await shown();
  assert.equal(source_ip, '192.0.2.1');
  const { rows } = await owner.query("select $1::timestamptz > now() - interval '9 minutes' as lately", [last_used_at]);
  assert.deepEqual(rows, [{ lately: true }]);
});

test('endSession ends one session and everything switched from it, and none of another person', async () => {
  const elsewhere = await joinElsewhere();
  const second = await login();
  const third = (await ask(second, 'POST', '/v1/auth/switch', { organization_id: elsewhere.organization.id })).json.token;
  const there = (await listSessions(person.token)).find(
    (each: { organization: { id: string } }) => each.organization.id === elsewhere.organization.id,
  );
  const stranger = await signUp(planes.controlUrl);
  const foreign = await ask(stranger.token, 'DELETE', `/v1/auth/sessions/${there.id}`);
  const never = await ask(stranger.token, 'DELETE', '/v1/auth/sessions/ses_01JXA4T0000000000000000ABC');
  const bare = ({ text, json }: typeof foreign) => text.replace(json.error.request_id, '');
  assert.deepEqual([foreign.status, bare(foreign)], [404, bare(never)]);
  assert.equal((await ask(person.token, 'DELETE', `/v1/auth/sessions/${there.id}`)).status, 200);
  assert.deepEqual([await readStatus(person.token), await readStatus(second), await readStatus(third)], [200, 401, 401]);
  assert.equal((await ask(person.token, 'DELETE', `/v1/auth/sessions/${there.id}`)).status, 404);
});

test('endOtherSessions ends all others at once, in every organization, and one of two concurrent ones remains', async () => {
  const elsewhere = await joinElsewhere();
  const second = await login();
  const third = (await ask(second, 'POST', '/v1/auth/switch', { organization_id: elsewhere.organization.id })).json.token;
  assert.equal((await ask(person.token, 'DELETE', '/v1/auth/sessions')).status, 200);
  assert.deepEqual([await readStatus(person.token), await readStatus(second), await readStatus(third)], [200, 401, 401]);
  assert.equal((await listSessions(person.token)).length, 1);
  const rounds = Array.from({ length: 5 }, (_, n) => n);
  for (const _ of rounds) {
    const [one, two] = [await login(), await login()];
    const answers = await Promise.all([one, two].map((token) => ask(token, 'DELETE', '/v1/auth/sessions')));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1, answers.map(({ text }) => text).join());
    assert.deepEqual([await readStatus(one), await readStatus(two)].sort(), [200, 401]);
  }
});

test('a membership that another clock dated slightly later does not affect its session', async () => {
  const elsewhere = await joinElsewhere();
  await owner.query("update members set created_at = now() + interval '3 seconds' where organization_id = $1 and user_id = $2", [
    elsewhere.organization.id,
    person.user.id,
  ]);
  const { token } = (await ask(await login(), 'POST', '/v1/auth/switch', { organization_id: elsewhere.organization.id })).json;
  assert.equal(await readStatus(token), 200);
});

test('revokeMemberSessions ends every session of a member here, and earlier sign-ins cannot switch into one', async () => {
  const elsewhere = await joinElsewhere();
  const into = { organization_id: elsewhere.organization.id };
  const there = (await ask(person.token, 'POST', '/v1/auth/switch', into)).json.token;
  const { rows } = await owner.query('select id from members where user_id = $1 and organization_id = $2', [
    person.user.id,
    elsewhere.organization.id,
  ]);
  assert.equal(await readStatus(there), 200);
  assert.equal((await ask(elsewhere.token, 'POST', `/v1/members/${rows[0].id}/revoke-sessions`, {})).status, 200);
  assert.deepEqual([await readStatus(there), await readStatus(person.token)], [401, 200]);
  assert.equal((await ask(person.token, 'POST', '/v1/auth/switch', into)).status, 404);
  assert.equal((await ask(await login(), 'POST', '/v1/auth/switch', into)).status, 200);
});

test('a person who returns to an organization has no earlier session there', async () => {
  const member = await insertPerson(owner, person.organization.id, 'viewer');
  assert.equal(await readStatus(member.token), 200);
  await owner.query('delete from members where user_id = $1', [member.id]);
  assert.equal(await readStatus(member.token), 401);
  await insertMember(owner, { organizationId: person.organization.id, userId: member.id, roleId: VIEWER });
  assert.equal(await readStatus(member.token), 401);
});

test('updateProfile changes the name of a person, and records it once', async () => {
  const answer = await ask(person.token, 'PATCH', '/v1/auth/profile', { name: 'Grace Hopper' });
  assert.deepEqual([answer.status, answer.json.user.name], [200, 'Grace Hopper']);
  assert.equal((await ask(person.token, 'GET', '/v1/auth/session')).json.user.name, 'Grace Hopper');
  await ask(person.token, 'PATCH', '/v1/auth/profile', { name: 'Grace Hopper' });
  const { rows } = await owner.query(
    "select data::jsonb - 'record_digests' as data from audit_events where type = 'user.profile_updated' and subject_id = $1",
    [person.user.id],
  );
  assert.deepEqual(
    rows.map(({ data }) => data.after),
    [{ name: 'Grace Hopper' }],
  );
  for (const name of ['', ' ', 'x'.repeat(121)]) assert.equal((await ask(person.token, 'PATCH', '/v1/auth/profile', { name })).status, 400);
});

test('limits the sessions of a person in an organization: a further one ends the least recently used, which is recorded', async () => {
  const { perOrganizationMax } = LIMITS.ownSessions;
  const [asks, oldest] = [await login(), await login()];
  const { rows } = await owner.query<{ id: string }>(
    `update sessions set last_used_at = now() - interval '59 minutes'
      where id = (select id from sessions where user_id = $1 order by id desc limit 1) returning id`,
    [person.user.id],
  );
  const [gone] = rows.map(({ id }) => id);
  await owner.query(
    `insert into sessions (organization_id, id, user_id, token_hash, expires_at, epoch, amr, created_at, last_used_at)
     select s.organization_id, s.id || n, s.user_id, sha256((s.id || n)::bytea), s.expires_at, s.epoch, s.amr, now(), now() - interval '30 minutes'
       from sessions s, generate_series(1, $2::int) n where s.id = $1`,
    [gone, perOrganizationMax - 3],
  );
  const newest = await login();
  assert.deepEqual(await Promise.all([person.token, asks, newest, oldest].map(readStatus)), [200, 200, 200, 401]);
  assert.equal((await listSessions(asks)).length, perOrganizationMax);
  const recorded = await owner.query(
    `select data->'sessions_ended' as ended from audit_events
      where organization_id = $1 and type = 'user.login_succeeded' and data->'sessions_ended' is not null`,
    [person.organization.id],
  );
  assert.deepEqual(recorded.rows, [{ ended: [gone] }]);
});
