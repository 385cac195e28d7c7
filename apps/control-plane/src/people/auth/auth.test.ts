import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { type SignedUp, signUp, stepUp } from '@svc/testing/people/tenant.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';

let planes: Planes;
let owner: pg.Client;
before(async () => {
  planes = await startPlanes({ gateways: 0 });
  owner = await planes.database.client();
});
after(async () => {
  await owner.end();
  await planes.stop();
});

const post = (path: string, body: unknown, token?: string) => call(planes.controlUrl, 'POST', path, { body, token });
const login = (email: string, password: string) => post('/v1/auth/login', { email, password });
const logout = (token: string) => call(planes.controlUrl, 'POST', '/v1/auth/logout', { token });
const getSession = (token: string) => call(planes.controlUrl, 'GET', '/v1/auth/session', { token });

const readEvents = async (organizationId: string): Promise<string[]> =>
  (await owner.query<{ type: string }>('select type from audit_events where organization_id = $1 order by id', [organizationId])).rows.map(
    ({ type }) => type,
  );

const readRows = async (organizationId: string): Promise<Record<string, number>> => {
  const counted: Record<string, number> = {};
  const { rows } = await owner.query<{ name: string }>(
    "select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'organization_id' and (select not relispartition from pg_class where oid = to_regclass(table_name))",
  );
  for (const { name } of rows) {
    const answer = await owner.query(`select from ${name} where organization_id = $1`, [organizationId]);
    if (answer.rowCount) counted[name] = answer.rowCount;
  }
  return counted;
};

describe('sign-up', () => {
  test('creates the organization, its owner and a session, and nothing else', async () => {
    const answer = await post('/v1/auth/signup', {
      email: 'Ada@Example.com',
      password: 'twelve chars ok',
      name: 'Ada',
      organizationName: 'Engines',
    });
    assert.equal(answer.status, 201);
    const { token, expires_at, user, organization, scope, permissions } = answer.json;
    assert.deepEqual(Object.keys(answer.json).sort(), ['expires_at', 'organization', 'permissions', 'scope', 'token', 'user']);
    assert.match(token, /^svc_ses_[0-9A-Za-z]{49}$/);
    assert.ok(Math.abs(Date.parse(expires_at) - Date.now() - 43_200_000) < 60_000);
    assert.deepEqual([user.email, user.name, organization.name], ['ada@example.com', 'Ada', 'Engines']);
    assert.deepEqual(scope, { organization_id: organization.id, workspace_id: null, environment_id: null });
    assert.ok(permissions.includes('organization:delete'));
    assert.deepEqual(await readRows(organization.id), { members: 1, sessions: 1, audit_events: 3, covered_records: 2 });
    assert.deepEqual(await readEvents(organization.id), ['organization.created', 'member.joined', 'user.login_succeeded']);
  });

  test('accepts the organization name in either form, and refuses two that differ', async () => {
    const person = { password: 'twelve chars ok', name: 'Grace' };
    const snake = await post('/v1/auth/signup', { ...person, email: 'grace@example.com', organization_name: 'Compilers' });
    assert.deepEqual([snake.status, snake.json.organization.name], [201, 'Compilers']);
    const both = { ...person, email: 'grace2@example.com', organizationName: 'One', organization_name: 'Two' };
    const refused = await post('/v1/auth/signup', both);
    assert.deepEqual([refused.status, refused.json.error.details.faults[0].pointer], [400, '/organization_name']);
    const none = await post('/v1/auth/signup', { ...person, email: 'grace3@example.com' });
    assert.equal(none.json.error.code, 'VALIDATION_FAILED');
  });

  test('creates one organization for concurrent requests with one e-mail address, in any letter case', async () => {
    const before = await owner.query('select from organizations');
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        post('/v1/auth/signup', {
          email: index % 2 ? 'TWIN@example.com' : 'twin@Example.com',
          password: 'twelve chars ok',
          name: 'Twin',
          organizationName: `Twin ${index}`,
        }),
      ),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409, 409, 409]);
    for (const { status, json } of answers) if (status === 409) assert.equal(json.error.code, 'ALREADY_EXISTS');
    const now = await owner.query('select from organizations');
    assert.equal(now.rowCount, (before.rowCount ?? 0) + 1);
  });

  test('refuses a short password, a broken address and unknown members, each with its pointer', async () => {
    const answer = await post('/v1/auth/signup', { email: 'nobody', password: 'short', name: ' ', organizationName: 'X', role: 'owner' });
    assert.equal(answer.status, 400);
    const pointers = answer.json.error.details.faults.map(({ pointer }: { pointer: string }) => pointer).sort();
    assert.deepEqual(pointers, ['/email', '/name', '/password', '/role']);
  });

  test('stores the password and the token in hashed form only', async () => {
    const person = await signUp(planes.controlUrl, { password: 'a very secret sentence' });
    const { rows } = await owner.query(
      'select u.password_hash, s.token_hash from users u join sessions s on s.user_id = u.id where u.id = $1',
      [person.user.id],
    );
    assert.match(rows[0].password_hash, /^\$argon2id\$/);
    const dump = JSON.stringify(
      (await owner.query('select * from audit_events where organization_id = $1', [person.organization.id])).rows,
    );
    for (const secret of [person.token, person.password]) {
      assert.ok(!dump.includes(secret));
      assert.ok(!rows[0].token_hash.toString('latin1').includes(secret));
      assert.ok(!planes.logs().includes(secret));
    }
  });
});

describe('login', () => {
  let person: SignedUp;
  before(async () => {
    person = await signUp(planes.controlUrl);
  });

  test('returns the same as sign-up, with a separate session', async () => {
    const answer = await login(person.email.toUpperCase(), person.password);
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.json.user, { id: person.user.id, email: person.email, name: person.user.name });
    assert.notEqual(answer.json.token, person.token);
    assert.equal((await getSession(answer.json.token)).status, 200);
    assert.equal((await getSession(person.token)).status, 200);
  });

  test('does not reveal whether the address or the password was wrong', async () => {
    const wrong = await login(person.email, 'not the password');
    const unknown = await login('nobody-at-all@example.com', 'not the password');
    const bare = ({ status, text, json }: Awaited<ReturnType<typeof login>>) => [status, text.replace(json.error.request_id, '')];
    assert.deepEqual(bare(wrong), bare(unknown));
    assert.deepEqual([wrong.status, wrong.json.error.code], [401, 'INVALID_CREDENTIALS']);
    assert.deepEqual([...wrong.headers.keys()], [...unknown.headers.keys()]);
  });

  test('takes equally long for an unknown address', async () => {
    const timed = async (ask: Promise<unknown>, begun = performance.now()): Promise<number> => {
      await ask;
      return performance.now() - begun;
    };
    const times: { known: number[]; unknown: number[]; unhashed: number[] } = { known: [], unknown: [], unhashed: [] };
    const quickest = () => [Math.min(...times.known), Math.min(...times.unknown), Math.min(...times.unhashed)] as const;
    // Compares the fastest of many responses: load only makes a response slower, but a difference in the work remains.
    const isAlike = ([known, unknown, unhashed] = quickest()) => unknown > 2 * unhashed && Math.abs(known - unknown) < known * 0.4;
    for (let round = 0; round < 12 || (round < 60 && !isAlike()); round += 1) {
      const somebody = await signUp(planes.controlUrl);
      times.known.push(await timed(login(somebody.email, 'not the password')));
      times.unknown.push(await timed(login(`nobody-${round}@example.com`, 'not the password')));
      times.unhashed.push(await timed(getSession('nobody')));
      await owner.query('delete from sign_in_failures');
    }
    const [known, unknown, unhashed] = quickest();
    assert.ok(isAlike(), `${known} ms and ${unknown} ms, and ${unhashed} ms without a password`);
  });

  test('records a failure in the organization of the account, without attributing it to its person', async () => {
    await login(person.email, 'not the password');
    const { rows } = await owner.query(
      "select actor_type, subject_id, severity, data::jsonb - 'record_digests' as data from audit_events where organization_id = $1 and type = 'user.login_failed' order by id desc limit 1",
      [person.organization.id],
    );
    assert.deepEqual(rows, [{ actor_type: 'SYSTEM', subject_id: person.user.id, severity: 'warning', data: { source_ip: '127.0.0.1' } }]);
    await owner.query('delete from sign_in_failures');
  });

  test('fails for a person without an organization like for an unknown one', async () => {
    const leaver = await signUp(planes.controlUrl);
    await owner.query('delete from members where user_id = $1', [leaver.user.id]);
    assert.equal((await login(leaver.email, leaver.password)).json.error.code, 'INVALID_CREDENTIALS');
    assert.equal((await getSession(leaver.token)).json.error.code, 'UNAUTHENTICATED');
    await owner.query('delete from sign_in_failures');
  });
});

describe('a session', () => {
  test('states who, where and with which permissions, also for an API key', async () => {
    const person = await signUp(planes.controlUrl);
    const own = (await getSession(person.token)).json;
    assert.deepEqual(own.user, { id: person.user.id, email: person.email, name: person.user.name });
    assert.deepEqual(own.principal, { type: 'USER', id: person.user.id, name: person.user.name });
    assert.equal(own.step_up_expires_at, null);
    const roles = await mustCall(planes.controlUrl, 'GET', '/v1/roles', { token: person.token });
    const viewer = roles.find(({ name }: { name: string }) => name === 'viewer');
    const { token, api_key } = await mustCall(planes.controlUrl, 'POST', '/v1/api-keys', {
      token: person.token,
      body: { name: 'Reader', role_id: viewer.id },
    });
    const key = (await getSession(token)).json;
    assert.deepEqual([key.user, key.principal], [null, { type: 'API_KEY', id: api_key.id, name: 'Reader' }]);
    assert.deepEqual(key.permissions.sort(), viewer.permissions.sort());
  });

  test('ends at once when its person signs out, and no other session does', async () => {
    const person = await signUp(planes.controlUrl);
    const second = (await login(person.email, person.password)).json.token;
    assert.deepEqual((await logout(second)).json, { revoked: true });
    assert.equal((await getSession(second)).json.error.code, 'UNAUTHENTICATED');
    assert.equal((await getSession(person.token)).status, 200);
    assert.equal((await readEvents(person.organization.id)).at(-1), 'user.logged_out');
  });

  test('expires after its lifetime and after its idle timeout', async () => {
    const person = await signUp(planes.controlUrl);
    await owner.query("update sessions set last_used_at = now() - interval '3601 seconds' where user_id = $1", [person.user.id]);
    assert.equal((await getSession(person.token)).json.error.code, 'SESSION_EXPIRED');
    await owner.query("update sessions set last_used_at = now(), expires_at = now() - interval '1 second' where user_id = $1", [
      person.user.id,
    ]);
    assert.equal((await getSession(person.token)).json.error.code, 'SESSION_EXPIRED');
  });
});

describe('step-up', () => {
  test('lasts for the configured time, for this session only', async () => {
    const person = await signUp(planes.controlUrl);
    const other = (await login(person.email, person.password)).json.token;
    const answer = await post('/v1/auth/step-up', { password: person.password }, person.token);
    assert.ok(Math.abs(Date.parse(answer.json.step_up_expires_at) - Date.now() - 300_000) < 30_000);
    assert.equal((await getSession(person.token)).json.step_up_expires_at, answer.json.step_up_expires_at);
    assert.equal((await getSession(other)).json.step_up_expires_at, null);
    assert.equal((await readEvents(person.organization.id)).at(-1), 'user.step_up_completed');
  });

  test('requires the password, reports a code sent instead, and refuses a wrong one', async () => {
    const person = await signUp(planes.controlUrl);
    const readFault = async (body: unknown) => (await post('/v1/auth/step-up', body, person.token)).json.error.details.faults[0].pointer;
    assert.equal(await readFault({}), '/password');
    assert.equal(await readFault({ code: '123456' }), '/code');
    const wrong = await post('/v1/auth/step-up', { password: 'not the password' }, person.token);
    assert.deepEqual([wrong.status, wrong.json.error.code], [401, 'INVALID_CREDENTIALS']);
    assert.equal((await getSession(person.token)).json.step_up_expires_at, null);
    assert.equal((await readEvents(person.organization.id)).at(-1), 'user.login_failed');
    await owner.query('delete from sign_in_failures');
  });

  test('is refused for API keys, and for a session that ended meanwhile', async () => {
    const person = await signUp(planes.controlUrl);
    const [, role] = await mustCall(planes.controlUrl, 'GET', '/v1/roles', { token: person.token });
    const { token } = await mustCall(planes.controlUrl, 'POST', '/v1/api-keys', {
      token: person.token,
      body: { name: 'Admin key', role_id: role.id },
    });
    assert.equal((await post('/v1/auth/step-up', { password: person.password }, token)).json.error.code, 'PERMISSION_DENIED');
    await stepUp(planes.controlUrl, person);
    await logout(person.token);
    assert.equal((await post('/v1/auth/step-up', { password: person.password }, person.token)).status, 401);
  });
});
