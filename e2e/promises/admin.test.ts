import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { TEST_MASTER_KEY } from '@svc/testing/database/master-key.ts';
import { call } from '@svc/testing/people/client.ts';
import { getMailsTo } from '@svc/testing/people/read-mails.ts';
import { type SignedUp, signUp, stepUp } from '@svc/testing/people/tenant.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { insertMember } from '@svc/testing/records/insert-person.ts';
import { proveAddress } from '@svc/testing/records/prove-address.ts';
import type pg from 'pg';

const root = path.resolve(import.meta.dirname, '../..');
const NEW = 'another horse battery staple';

let planes: Planes;
let owner: pg.Client;
let person: SignedUp;
before(async () => {
  planes = await startPlanes({ gateways: 0 });
  owner = await planes.database.client();
  person = await signUp(planes.controlUrl);
});
after(async () => {
  await owner.end();
  await planes.stop();
});

type Ended = { readonly code: number; readonly out: string; readonly errors: string };
const admin = (...words: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const env = { ...process.env, DATABASE_URL: planes.database.url, SVC_MASTER_KEY: TEST_MASTER_KEY };
    execFile(process.execPath, [path.join(root, 'apps/launcher/src/admin.ts'), ...words], { cwd: root, env }, (error, out, errors) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, errors }),
    );
  });

const login = (email: string, password: string) => call(planes.controlUrl, 'POST', '/v1/auth/login', { body: { email, password } });
const reset = (email: string, code: string) =>
  call(planes.controlUrl, 'POST', '/v1/auth/password/reset', { body: { email, code, new_password: NEW } });
const readEvents = async (type: string, userId: string) =>
  (
    await owner.query(
      "select organization_id, actor_type, actor_id, severity, data::jsonb - 'record_digests' as data from audit_events where type = $1 and subject_id = $2 and actor_type = $3 order by organization_id",
      [type, userId, 'SYSTEM'],
    )
  ).rows;

test('the operator lets a locked-out owner set a new password by a one-time code, while the planes run', async () => {
  const elsewhere = await signUp(planes.controlUrl);
  await insertMember(owner, {
    organizationId: elsewhere.organization.id,
    userId: person.user.id,
    roleId: 'rol_00000000000000000000000007',
  });
  for (let n = 0; n < 10; n += 1) await login(person.email, 'a guess');
  assert.equal((await login(person.email, person.password)).status, 429);
  const { code, out, errors } = await admin('reset-password', person.email.toUpperCase(), '--reason', 'The only owner is locked out.');
  assert.deepEqual([code, errors], [0, ''], errors);
  const secret = /svc_reset_[0-9A-Za-z]{49}/.exec(out)?.[0] ?? '';
  assert.ok(secret !== '' && out.includes(person.organization.id));
  assert.equal((await call(planes.controlUrl, 'GET', '/v1/auth/session', { token: person.token })).status, 401);
  assert.equal((await reset(elsewhere.email, secret)).json.error.code, 'INVALID_CREDENTIALS', 'nobody else’s');
  const wrong = `${secret.slice(0, -6)}${secret.endsWith('000000') ? '111111' : '000000'}`;
  for (let n = 0; n < 6; n += 1) assert.equal((await reset(person.email, wrong)).json.error.code, 'INVALID_CREDENTIALS');
  assert.equal((await reset(person.email, secret)).status, 200, 'used up by no guesses');
  assert.equal((await reset(person.email, secret)).json.error.code, 'INVALID_CREDENTIALS', 'once');
  await owner.query('delete from sign_in_failures');
  assert.equal((await login(person.email, NEW)).status, 200);
  assert.equal((await login(elsewhere.email, elsewhere.password)).status, 200);
  const events = await readEvents('user.password_changed', person.user.id);
  assert.deepEqual(
    events.map(({ organization_id, actor_id, severity, data }) => [organization_id, actor_id, severity, data.reason]),
    [person.organization.id, elsewhere.organization.id]
      .toSorted()
      .map((organization) => [organization, 'admin', 'critical', 'The only owner is locked out.']),
  );
  const kept = await owner.query('select r::text as row from password_resets r union all select e::text from audit_events e');
  assert.ok(!JSON.stringify(kept.rows).includes(secret) && !planes.logs().includes(secret));
});

test('the operator removes the second factors of a person who lost them, and sees who owns what', async () => {
  await owner.query(
    "insert into second_factors (user_id, id, kind, name, enrolled_in, sealed_secret, confirmed_at) values ($1, 'fac_1', 'TOTP', 'Phone', 'ses_1', '\\x00', now())",
    [person.user.id],
  );
  await owner.query('update users set password_is_short = true where id = $1', [person.user.id]);
  const before = await admin('owners', person.organization.name);
  assert.ok(before.out.includes(`<${person.email}>  a password, 1 second factor,`), before.out);
  const lines = async () => (await admin('owners')).out.split('\n').filter((line) => line.includes(`<${person.email}>`));
  assert.ok(
    (await lines()).every((line) => line.endsWith(', address not verified')),
    'nobody has proved it',
  );
  await proveAddress(owner, person);
  assert.ok((await lines()).every((line) => !line.includes('not verified')));
  const { code, out } = await admin('remove-second-factors', person.email, '--reason', 'The phone is lost.');
  assert.deepEqual(
    [code, out.includes('1 removed'), out.includes('was too short without a second factor and was removed')],
    [0, true, true],
    out,
  );
  const [mail] = await getMailsTo(owner, person.email);
  assert.match(mail?.values.what ?? '', /operator of the service removed the second factors/);
  const all = await admin('owners');
  assert.ok(all.out.includes(`<${person.email}>  no password, 0 second factors,`), all.out);
  const [event] = await readEvents('user.mfa_factor_removed', person.user.id);
  assert.deepEqual([event.actor_id, event.data.by, event.data.reason], ['admin', 'OPERATOR', 'The phone is lost.']);
});

test('the operator removes the network restriction of an organization that locked itself out', async () => {
  const person = await signUp(planes.controlUrl);
  await stepUp(planes.controlUrl, person);
  const { token, organization } = person;
  const body = { allowed_networks: ['192.0.2.0/24'], confirm_lockout: true };
  await call(planes.controlUrl, 'PATCH', '/v1/organization', { token, body });
  const read = () => call(planes.controlUrl, 'GET', '/v1/organization', { token });
  assert.equal((await read()).json.error.code, 'NETWORK_RESTRICTED');
  assert.equal((await admin('lift-networks', organization.id)).code, 2, 'says why');
  const { code, out, errors } = await admin('lift-networks', organization.id, '--reason', 'The office moved.');
  assert.deepEqual([code, out.includes('Before: 192.0.2.0/24')], [0, true], errors);
  assert.deepEqual((await read()).json.allowed_networks, []);
  const events = await readEvents('organization.updated', organization.id);
  const told = events.map(({ actor_id, severity, data }) => [actor_id, severity, data.by, data.reason, data.before.allowed_networks]);
  assert.deepEqual(told, [['admin', 'critical', 'OPERATOR', 'The office moved.', ['192.0.2.0/24']]]);
  assert.match((await admin('lift-networks', organization.id, '--reason', 'Again.')).out, /The organization has no network restrictions/);
  assert.equal((await readEvents('organization.updated', organization.id)).length, 1);
});

test('reports in a sentence what cannot be done, and changes nothing', async () => {
  for (const [words, said] of [
    [['reset-password', 'nobody@example.com', '--reason', 'x'], /No member of an organization has the address "nobody@example.com"/],
    [['owners', 'No such'], /no organization with the id or the name "No such"/],
  ] as const) {
    const { code, out, errors } = await admin(...words);
    assert.deepEqual([code, out], [1, '']);
    assert.match(errors, said);
  }
  for (const words of [
    ['reset-password', person.email],
    ['reset-password', '--reason', 'x'],
    ['reset-password', 'a@b.c', 'd@e.f', '--reason', 'x'],
    [],
  ])
    assert.equal((await admin(...words)).code, 2, words.join(' '));
});
