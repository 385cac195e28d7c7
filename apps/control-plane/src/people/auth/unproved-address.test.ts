import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { newWebhook } from '@svc/testing/events/new-webhook.ts';
import { call } from '@svc/testing/people/client.ts';
import { getInvitationCode, getMailsTo } from '@svc/testing/people/mails-to.ts';
import { getCodeTo } from '@svc/testing/people/read-mails.ts';
import { computeTotpCode, enrolPasskey, stepUpAndEnrol, waitForWithinStep } from '@svc/testing/people/second-factors.ts';
import { type SignedUp, signUp } from '@svc/testing/people/tenant.ts';
import { approve, redeem, startTerminal } from '@svc/testing/people/terminal.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { insertMember } from '@svc/testing/records/insert-person.ts';
import { insertSso } from '@svc/testing/records/insert-sso.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';

let planes: Planes;
let db: pg.Client;
let company: SignedUp;
before(async () => {
  planes = await leasePlanes();
  db = await planes.database.client();
  company = await signUp(planes.controlUrl);
});
beforeEach(() => db.query('delete from sign_in_failures'));
after(async () => {
  await db.end();
  await planes.stop();
});

const NEW = 'nobody else has ever typed this';
const post = (path: string, body: object, token?: string) => call(planes.controlUrl, 'POST', path, { token, body });
const readStatus = async (token: string) => (await call(planes.controlUrl, 'GET', '/v1/auth/session', { token })).status;
const login = (email: string, password: string) => post('/v1/auth/login', { email, password });
const newKey = async (token: string, role: 'viewer' | 'admin' = 'viewer'): Promise<string> =>
  (await newControlClient(planes.controlUrl, token).createApiKey({ body: { name: 'Key', role_id: getBuiltInRole(role).id } })).token;
const invite = async (email: string, by = company): Promise<string> => {
  await newControlClient(planes.controlUrl, by.token).inviteMember({ body: { email, role_id: getBuiltInRole('viewer').id } });
  return getInvitationCode(db, email);
};
const isProved = async (email: string): Promise<boolean> =>
  (await db.query('select email_verified_at from users where email = $1', [email])).rows[0]?.email_verified_at !== null;

/** Creates a user who signed up with someone else's address and left everything behind that a user can. */
const newStranger = async () => {
  const stranger = await signUp(planes.controlUrl);
  const own = await newKey(stranger.token);
  const elsewhere = await signUp(planes.controlUrl);
  await insertMember(db, { organizationId: elsewhere.organization.id, userId: stranger.user.id, roleId: getBuiltInRole('admin').id });
  const there = (await post('/v1/auth/switch', { organization_id: elsewhere.organization.id }, stranger.token)).json.token;
  const abroad = await newKey(there);
  const adminKey = await newKey(there, 'admin');
  await newControlClient(planes.controlUrl, there).stepUp({ body: { password: stranger.password } });
  const directory = (await newControlClient(planes.controlUrl, there).createScimToken({ body: {} })).token;
  const byPerson = await newWebhook({ controlUrl: planes.controlUrl, token: there });
  const byKey = await newWebhook({ controlUrl: planes.controlUrl, token: adminKey });
  const alone = await newWebhook({ controlUrl: planes.controlUrl, token: stranger.token });
  const webhooks = [byPerson, byKey, alone].map(({ subscriptionId }) => subscriptionId);
  const kept = (await newWebhook({ controlUrl: planes.controlUrl, token: elsewhere.token })).subscriptionId;
  const terminal = await startTerminal(planes.controlUrl);
  assert.equal((await approve(planes.controlUrl, stranger.token, terminal)).status, 200);
  const inTerminal = (await redeem(planes.controlUrl, terminal)).json.token;
  const { recoveryCodes } = await stepUpAndEnrol(planes.controlUrl, stranger);
  await enrolPasskey(planes.controlUrl, stranger);
  await insertSso(planes.database, stranger.organization.id, stranger.user.id);
  const sessions = [stranger.token, there, inTerminal];
  for (const token of sessions) assert.equal(await readStatus(token), 200);
  assert.equal((await call(planes.controlUrl, 'GET', '/scim/v2/Users', { token: directory })).status, 200);
  return { ...stranger, sessions, keys: { own, abroad }, directory, recoveryCodes, elsewhere, webhooks, kept };
};

type Stranger = Awaited<ReturnType<typeof newStranger>>;

/** Asserts that nothing of the other user remains but the organization that they founded and work in alone. */
const assertGone = async ({
  sessions,
  keys,
  directory,
  email,
  password,
  user,
  organization,
  elsewhere,
  webhooks,
  kept,
}: Stranger): Promise<void> => {
  for (const token of sessions) assert.equal(await readStatus(token), 401);
  assert.equal((await login(email, password)).status, 401);
  assert.deepEqual([await readStatus(keys.abroad), await readStatus(keys.own)], [401, 200]);
  assert.equal((await call(planes.controlUrl, 'GET', '/scim/v2/Users', { token: directory })).status, 401);
  const { rows } = await db.query(
    `select (select count(*) from second_factors where user_id = $1)::int as factors,
            (select count(*) from recovery_codes where user_id = $1)::int as codes,
            (select count(*) from sso_identities where user_id = $1)::int as identities`,
    [user.id],
  );
  assert.deepEqual(rows, [{ factors: 0, codes: 0, identities: 0 }]);
  const stands = await db.query('select id, status, disabled_reason from webhook_subscriptions where id = any ($1) order by id', [
    [...webhooks, kept],
  ]);
  assert.deepEqual(
    stands.rows,
    [
      ...webhooks.map((id) => ({ id, status: 'DISABLED', disabled_reason: 'HOLDER_CHANGED' })),
      { id: kept, status: 'ACTIVE', disabled_reason: null },
    ].sort((a, b) => (a.id < b.id ? -1 : 1)),
  );
  const told = (await getMailsTo(db, email)).filter(({ template }) => template === 'address-proved');
  assert.equal(told.length, 1);
  const events = await db.query(
    "select organization_id, type from audit_events where data ->> 'by' = 'ADDRESS_PROVED' and organization_id = any($1)",
    [[organization.id, elsewhere.organization.id]],
  );
  const findTypes = (id: string) =>
    events.rows
      .filter((row) => row.organization_id === id)
      .map(({ type }) => type)
      .sort();
  assert.deepEqual(findTypes(elsewhere.organization.id), [
    ...['apikey.revoked', 'apikey.revoked', 'session.revoked', 'user.password_changed'],
    ...['webhook.subscription_updated', 'webhook.subscription_updated'],
  ]);
  assert.ok(findTypes(organization.id).includes('user.identity_unlinked'));
};

describe('an account with an unproved address is cleared', () => {
  test('when an invitation is accepted: the code creates it again, and the earlier password no longer works', async () => {
    const stranger = await newStranger();
    const code = await invite(stranger.email);
    assert.equal((await post('/v1/auth/invitations/read', { code })).json.has_account, false);
    assert.equal((await post('/v1/auth/invitations/accept', { code, password: stranger.password })).status, 400);
    const accepted = await post('/v1/auth/invitations/accept', { code, name: 'Owner of the mailbox', password: NEW });
    assert.equal(accepted.status, 201, accepted.text);
    assert.deepEqual([accepted.json.user.id, accepted.json.user.name], [stranger.user.id, 'Owner of the mailbox']);
    await assertGone(stranger);
    assert.equal((await login(stranger.email, NEW)).status, 200, 'and no second factor is asked');
    const again = await invite(stranger.email, await signUp(planes.controlUrl));
    assert.equal((await post('/v1/auth/invitations/read', { code: again })).json.has_account, true, 'proved once, it is theirs for good');
    assert.equal((await post('/v1/auth/invitations/accept', { code: again, name: 'x', password: 'another one altogether' })).status, 401);
  });

  test('of every code or secret that sets a password, and of everything in any number of organizations', async () => {
    const stranger = await signUp(planes.controlUrl);
    await db.query(
      `with made as (insert into organizations (id, name) select 'org_' || $2 || lpad(n::text, 4, '0'), 'Many' from generate_series(1, 205) n returning id),
            joined as (insert into members (organization_id, id, user_id, role_id) select id, 'mem_' || id, $1, $3 from made)
       insert into invitations (organization_id, id, email, role_id, code_hash, invited_by, invited_by_type, sent_at, expires_at)
       select id, 'inv_' || id, 'x@example.com', $3, sha256(id::bytea), $1, 'USER', now(), now() + interval '1 day' from made`,
      [stranger.user.id, newUlid().slice(0, 22), getBuiltInRole('viewer').id],
    );
    await post('/v1/auth/password/reset/start', { email: stranger.email });
    const before = await getCodeTo(db, stranger.email);
    const code = await invite(stranger.email);
    assert.equal((await post('/v1/auth/invitations/accept', { code, name: 'Owner of the mailbox', password: NEW })).status, 201);
    const open = await db.query('select from invitations where invited_by = $1 and ended_at is null', [stranger.user.id]);
    assert.equal(open.rowCount, 0);
    const told = await db.query("select from audit_events where subject_id = $1 and type = 'user.password_changed'", [stranger.user.id]);
    assert.equal(told.rowCount, 207);
    const reset = await post('/v1/auth/password/reset', { email: stranger.email, code: before, new_password: 'of the one before' });
    assert.equal(reset.status, 401);
    assert.equal((await login(stranger.email, NEW)).status, 200);
  });

  test('when a mailed code sets a new password', async () => {
    const stranger = await newStranger();
    await post('/v1/auth/password/reset/start', { email: stranger.email });
    const body = { email: stranger.email, code: await getCodeTo(db, stranger.email), new_password: NEW };
    assert.equal((await post('/v1/auth/password/reset', { ...body, new_password: 'short one' })).status, 400, 'no factor is beside it');
    assert.equal((await post('/v1/auth/password/reset', body)).status, 200);
    await assertGone(stranger);
    const session = await login(stranger.email, NEW);
    assert.equal(session.json.organization.id, stranger.organization.id, session.text);
  });
});

test('a session of an unproved account joins no organization, with any code', async () => {
  const stranger = await signUp(planes.controlUrl);
  const code = await invite(stranger.email);
  const joined = await post('/v1/auth/invitations/join', { code }, stranger.token);
  assert.deepEqual([joined.status, joined.json.error.code], [403, 'PERMISSION_DENIED'], joined.text);
  assert.equal(await readStatus(stranger.token), 200);
  assert.equal((await post('/v1/auth/invitations/accept', { code, name: 'Theirs', password: NEW })).status, 201);
});

test('one of two people who prove an address by concurrent invitations takes over the account', async () => {
  const stranger = await signUp(planes.controlUrl);
  const codes = [await invite(stranger.email), await invite(stranger.email, await signUp(planes.controlUrl))];
  const answers = await Promise.all(
    codes.map((code, n) => post('/v1/auth/invitations/accept', { code, name: 'One', password: `${NEW} ${n}` })),
  );
  const wins = answers.filter(({ status }) => status === 201);
  assert.equal(wins.length, 1, answers.map(({ text }) => text).join());
  assert.equal(await readStatus(wins[0]?.json.token), 200);
});

test('signing up with a mailed code proves the address, and open sign-up does not', async () => {
  const email = `proved-${company.user.id.toLowerCase()}@example.com`;
  await post('/v1/auth/signup/start', { email, name: 'P', password: NEW });
  assert.equal((await post('/v1/auth/signup/verify', { email, code: await getCodeTo(db, email) })).status, 201);
  assert.deepEqual([await isProved(email), await isProved(company.email)], [true, false]);
});

test('a factor that was being enrolled while every session ended is refused', async () => {
  const person = await signUp(planes.controlUrl);
  await newControlClient(planes.controlUrl, person.token).stepUp({ body: { password: person.password } });
  const { id, secret } = await newControlClient(planes.controlUrl, person.token).enrolTotp({ body: { name: 'Phone' } });
  await waitForWithinStep();
  await db.query('begin');
  await db.query("select pg_advisory_xact_lock(hashtextextended('svc second factors of ' || $1, 0))", [person.user.id]);
  const confirming = post(`/v1/auth/mfa/totp/${id}/confirm`, { code: computeTotpCode(secret) }, person.token);
  const watcher = await planes.database.client();
  const waits = async () => (await watcher.query("select from pg_locks where locktype = 'advisory' and not granted")).rowCount ?? 0;
  await waitUntil('the enrolment waits', async () => (await waits()) > 0);
  await db.query('update users set session_epoch = session_epoch + 1 where id = $1', [person.user.id]);
  await db.query('commit');
  assert.equal((await confirming).status, 404);
  assert.equal(
    (await watcher.query('select from second_factors where user_id = $1 and confirmed_at is not null', [person.user.id])).rowCount,
    0,
  );
  await watcher.end();
});

for (const [what, table, path, body] of [
  ['key', 'api_keys', '/v1/api-keys', { name: 'Late', role_id: getBuiltInRole('viewer').id }],
  ['webhook', 'webhook_subscriptions', '/v1/webhooks', { name: 'Late', url: 'https://127.0.0.1:9/', event_types: ['agent.created'] }],
] as const)
  test(`a ${what} that was being created while every session ended is refused`, async () => {
    const person = await signUp(planes.controlUrl);
    await db.query('begin');
    await db.query('update users set session_epoch = session_epoch + 1 where id = $1', [person.user.id]);
    let isAnswered = false;
    const making = post(path, body, person.token).finally(() => {
      isAnswered = true;
    });
    const watcher = await planes.database.client();
    const waits = async () => (await watcher.query("select from pg_stat_activity where wait_event_type = 'Lock'")).rowCount ?? 0;
    await waitUntil('it waits', async () => isAnswered || (await waits()) > 0);
    await db.query('commit');
    const { status } = await making;
    const { rowCount } = await watcher.query(`select from ${table} where created_by = $1`, [person.user.id]);
    await watcher.end();
    assert.deepEqual([status, rowCount], [403, 0]);
  });
