import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { getSpellingsKept } from '@svc/testing/logs/spellings-kept.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { getCodeTo, getMailsTo } from '@svc/testing/people/read-mails.ts';
import { type SignedUp, signUp } from '@svc/testing/people/tenant.ts';
import { approve, startTerminal } from '@svc/testing/people/terminal.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { insertMember, insertPerson } from '@svc/testing/records/insert-person.ts';
import { proveAddress } from '@svc/testing/records/prove-address.ts';
import type pg from 'pg';

const NEW = 'another horse battery staple';
const attemptsMax = 10;
/** Limits of unauthenticated clients, and of the sessions of an account. */
const [strangersMax, signedInMax] = [7, 3];

let planes: Planes;
let owner: pg.Client;
let person: SignedUp;
before(async () => {
  planes = await startPlanes({
    gateways: 0,
    env: { MAX_LOGIN_ATTEMPTS: String(attemptsMax), SVC_TRUST_PROXY: 'true', SMTP_URL: 'smtp://127.0.0.1:9' },
  });
  owner = await planes.database.client();
});
after(async () => {
  await owner.end();
  await planes.stop();
});
beforeEach(async () => {
  await owner.query('delete from sign_in_failures');
  person = await signUp(planes.controlUrl);
});

let addresses = 0;
const newAddress = (): string => `198.51.100.${++addresses}`;
const post = (path: string, body: object, token?: string, from = newAddress()): Promise<TestResponse> =>
  call(planes.controlUrl, 'POST', path, { token, body, headers: { 'x-forwarded-for': from } });
const login = (email: string, password: string) => post('/v1/auth/login', { email, password });
const changePassword = (token: string, current_password: string, new_password = NEW) =>
  post('/v1/auth/password', { current_password, new_password }, token);
const startPasswordReset = (email: string) => post('/v1/auth/password/reset/start', { email });
const resetPassword = (email: string, code: string, new_password = NEW) => post('/v1/auth/password/reset', { email, code, new_password });
const readStatus = async (token: string) => (await call(planes.controlUrl, 'GET', '/v1/auth/session', { token })).status;
const getCode = ({ status, json }: TestResponse): string => json?.error?.code ?? String(status);
const bare = ({ status, text, json }: TestResponse) => [status, text.replace(json.error?.request_id ?? ' ', '')];
const other = (code: string): string => (code === '314159' ? '271828' : '314159');
const readEvents = async (type: string) =>
  (
    await owner.query(
      "select actor_type, data::jsonb - 'record_digests' as data from audit_events where type = $1 and subject_id = $2 order by id",
      [type, person.user.id],
    )
  ).rows;

describe('a password change', () => {
  test('requires the current password, ends every other session in every organization, and keeps the requesting one', async () => {
    const elsewhere = await signUp(planes.controlUrl);
    await insertMember(owner, {
      organizationId: elsewhere.organization.id,
      userId: person.user.id,
      roleId: 'rol_00000000000000000000000007',
    });
    const second = (await login(person.email, person.password)).json.token;
    const third = (await post('/v1/auth/switch', { organization_id: elsewhere.organization.id }, second)).json.token;
    assert.deepEqual([await readStatus(second), await readStatus(third)], [200, 200]);
    assert.equal((await changePassword(person.token, person.password)).status, 200);
    assert.deepEqual([await readStatus(person.token), await readStatus(second), await readStatus(third)], [200, 401, 401]);
    assert.deepEqual(
      [getCode(await login(person.email, person.password)), (await login(person.email, NEW)).status],
      ['INVALID_CREDENTIALS', 200],
    );
    assert.deepEqual(
      (await readEvents('user.password_changed')).map(({ data }) => data.by),
      ['PASSWORD'],
    );
    assert.equal((await getMailsTo(owner, person.email))[0]?.template, 'password-changed');
  });

  test('ends all pending codes, so that an intercepted mail is useless', async () => {
    await startPasswordReset(person.email);
    const code = await getCodeTo(owner, person.email);
    assert.equal((await changePassword(person.token, person.password)).status, 200);
    assert.equal(getCode(await resetPassword(person.email, code, `${NEW} of a thief`)), 'INVALID_CREDENTIALS');
    assert.equal((await login(person.email, NEW)).status, 200);
  });

  test('with a wrong password changes nothing, and uses up the attempts of the session alone, which then ends', async () => {
    const second = (await login(person.email, person.password)).json.token;
    for (let n = 0; n < signedInMax; n += 1)
      assert.equal(getCode(await changePassword(person.token, 'not this one')), 'INVALID_CREDENTIALS');
    assert.deepEqual([await readStatus(person.token), await readStatus(second)], [401, 200]);
    assert.equal((await login(person.email, person.password)).status, 200);
  });

  test('with concurrent wrong passwords is limited to the attempts of the session, and the correct one among them is too late', async () => {
    const guesses = Array.from({ length: 30 }, (_, n) => (n < 29 ? `not this one ${n}` : person.password));
    const answers = [];
    // The share of an organization in the lane is four at once; others get a refusal that states it.
    for (let n = 0; n < guesses.length; n += 4)
      answers.push(...(await Promise.all(guesses.slice(n, n + 4).map((each) => changePassword(person.token, each)))));
    assert.deepEqual(
      answers.filter(({ status }) => status === 200),
      [],
    );
    assert.equal((await readEvents('user.logged_out')).length, 1);
    assert.equal((await login(person.email, person.password)).status, 200);
  });

  test('in two concurrent sessions succeeds in one only', async () => {
    const second = (await login(person.email, person.password)).json.token;
    const answers = await Promise.all([
      changePassword(person.token, person.password, `${NEW} one`),
      changePassword(second, person.password, `${NEW} two`),
    ]);
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.deepEqual([await readStatus(person.token), await readStatus(second)].sort(), [200, 401]);
  });

  test('to a password that is short, common, unchanged, or derived from its owner is refused with its pointer', async () => {
    const refused = ['short one', 'twelve chars', 'passwordpassword1', `${person.email}`, person.password];
    for (const each of refused) {
      const answer = await changePassword(person.token, person.password, each);
      assert.deepEqual([answer.status, answer.json.error.details?.faults[0].pointer], [400, '/new_password'], each);
      assert.ok(!answer.text.includes(each) || each.length < 12);
    }
    assert.equal((await login(person.email, person.password)).status, 200);
  });

  test('with a second factor accepts eight characters, and no common ones', async () => {
    await owner.query(
      "insert into second_factors (user_id, id, kind, name, enrolled_in, sealed_secret, confirmed_at) values ($1, 'fac_1', 'TOTP', 'x', 'ses_1', '\\x00', now())",
      [person.user.id],
    );
    assert.equal((await changePassword(person.token, person.password, 'password')).status, 400);
    assert.equal((await changePassword(person.token, person.password, 'short 7')).status, 400);
    assert.equal((await changePassword(person.token, person.password, 'kZ3 vq8w')).status, 200);
    const { rows } = await owner.query('select password_is_short from users where id = $1', [person.user.id]);
    assert.deepEqual(rows, [{ password_is_short: true }]);
  });

  test('is never forced by age', async () => {
    await owner.query("update users set password_changed_at = now() - interval '20 years' where id = $1", [person.user.id]);
    assert.equal((await login(person.email, person.password)).status, 200);
  });

  test('treats all Unicode compositions of a password alike', async () => {
    const composed = 'caf\u00e9 r\u00e9sum\u00e9 na\u00efve';
    assert.equal((await changePassword(person.token, person.password, composed)).status, 200);
    assert.equal((await login(person.email, composed.normalize('NFD'))).status, 200);
  });
});

describe('a forgotten password', () => {
  test('is replaced by the mailed code, which ends every session and creates none', async () => {
    await proveAddress(owner, person);
    assert.equal((await startPasswordReset(person.email)).status, 200);
    const mail = (await getMailsTo(owner, person.email))[0];
    assert.equal(mail?.template, 'password-reset-code');
    const answer = await resetPassword(person.email, await getCodeTo(owner, person.email));
    assert.deepEqual([answer.status, Object.keys(answer.json)], [200, ['password_changed_at']]);
    assert.equal(await readStatus(person.token), 401);
    assert.deepEqual(
      [getCode(await login(person.email, person.password)), (await login(person.email, NEW)).status],
      ['INVALID_CREDENTIALS', 200],
    );
    assert.deepEqual(
      (await readEvents('user.password_changed')).map(({ data }) => data.by),
      ['MAIL_CODE'],
    );
  });

  test('is requested alike with and without an account, and only the mail differs', async () => {
    const strip = ({ status, json }: TestResponse) => [status, Object.keys(json)];
    const nobody = `nobody-${person.user.id.toLowerCase()}@example.com`;
    assert.deepEqual(strip(await startPasswordReset(person.email)), strip(await startPasswordReset(nobody)));
    assert.equal((await getMailsTo(owner, nobody))[0]?.template, 'password-reset-unknown');
    assert.deepEqual(bare(await resetPassword(person.email, '000000')), bare(await resetPassword(nobody, '000000')));
    const rows = await owner.query('select count(*)::int as n from password_resets where code_hash is not null');
    assert.ok(rows.rows[0].n >= 2);
  });

  test('requires the code of its address, and sessions and codes are not stored in plain text', async () => {
    const victim = await signUp(planes.controlUrl);
    await startPasswordReset(person.email);
    await startPasswordReset(victim.email);
    const mine = await getCodeTo(owner, person.email);
    const theirs = await getCodeTo(owner, victim.email);
    if (mine !== theirs) assert.equal(getCode(await resetPassword(victim.email, mine)), 'INVALID_CREDENTIALS');
    assert.equal((await login(victim.email, victim.password)).status, 200);
    const [mail] = await getMailsTo(owner, person.email);
    const secret = new URLSearchParams(mail?.values.link?.split('#')[1]).get('code') ?? '';
    assert.match(secret, /^svc_/);
    for (const each of [mine, secret, person.email])
      assert.deepEqual(await getSpellingsKept(owner, ['password_resets', '(select data from audit_events)'], each), []);
    assert.ok(!planes.logs().includes(`"${mine}"`));
  });

  test('is replaced by one of 32 concurrent uses of a code', async () => {
    await startPasswordReset(person.email);
    const code = await getCodeTo(owner, person.email);
    const answers = await Promise.all(Array.from({ length: 32 }, (_, n) => resetPassword(person.email, code, `${NEW} ${n}`)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1, answers.map(getCode).join());
    // Codes that arrived after it was used are ordinary guesses.
    assert.ok(['INVALID_CREDENTIALS', 'RATE_LIMITED'].includes(getCode(await resetPassword(person.email, code))));
  });

  test('a code has five attempts, and its guesses count with guesses at the password', async () => {
    await startPasswordReset(person.email);
    const code = await getCodeTo(owner, person.email);
    for (let n = 0; n < 5; n += 1) {
      await owner.query('delete from sign_in_failures');
      assert.equal(getCode(await resetPassword(person.email, other(code))), 'INVALID_CREDENTIALS');
    }
    await owner.query('delete from sign_in_failures');
    assert.equal(getCode(await resetPassword(person.email, code)), 'INVALID_CREDENTIALS');

    const second = await signUp(planes.controlUrl);
    await startPasswordReset(second.email);
    const theirs = await getCodeTo(owner, second.email);
    for (let n = 0; n < strangersMax - 2; n += 1) await login(second.email, 'not this one');
    for (let n = 0; n < 2; n += 1) await resetPassword(second.email, other(theirs));
    for (const answer of [await resetPassword(second.email, theirs), await login(second.email, second.password)])
      assert.equal(getCode(answer), 'RATE_LIMITED');
  });

  test('the link of the mail is not used up by guesses, works while unauthenticated clients have locked the account, and admits its browser', async () => {
    await proveAddress(owner, person);
    await startPasswordReset(person.email);
    const [mail] = await getMailsTo(owner, person.email);
    const brought = new URLSearchParams(new URL(mail?.values.link ?? '').hash.slice(1));
    assert.deepEqual([new URL(mail?.values.link ?? '').pathname, brought.get('email')], ['/reset-password', person.email]);
    const secret = brought.get('code') ?? '';
    assert.match(secret, /^svc_forgot_[0-9A-Za-z]{49}$/);
    const wrong = `${secret.slice(0, -6)}${secret.endsWith('000000') ? '111111' : '000000'}`;
    for (let n = 0; n < 8; n += 1) assert.equal(getCode(await resetPassword(person.email, wrong)), 'INVALID_CREDENTIALS');
    for (let n = 0; n < strangersMax; n += 1) await resetPassword(person.email, other(mail?.values.code ?? ''));
    assert.equal(getCode(await login(person.email, person.password)), 'RATE_LIMITED');
    const inBrowser = (path: string, body: object, cookie = '') =>
      call(planes.controlUrl, 'POST', path, { body, headers: { origin: planes.controlUrl, 'x-svc-page': '1', cookie } });
    const answer = await inBrowser('/v1/auth/password/reset', { email: person.email, code: secret, new_password: NEW });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(getCode(await login(person.email, NEW)), 'RATE_LIMITED', 'of strangers nothing is forgiven');
    const [known = ''] = (answer.headers.getSetCookie()[0] ?? '').split(';');
    assert.equal((await inBrowser('/v1/auth/login', { email: person.email, password: NEW }, known)).status, 200);
    for (const code of [secret, mail?.values.code ?? ''])
      assert.notEqual((await resetPassword(person.email, code)).status, 200, 'neither is good any more');
    assert.ok(!planes.logs().includes(secret));
  });

  test('concurrent guesses at the code and the password are limited to the attempts', async () => {
    await startPasswordReset(person.email);
    const code = await getCodeTo(owner, person.email);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? resetPassword(person.email, other(code)) : login(person.email, `guess ${n}`))),
    );
    assert.ok(answers.filter((answer) => getCode(answer) === 'INVALID_CREDENTIALS').length <= strangersMax);
    assert.equal(getCode(await resetPassword(person.email, code)), 'RATE_LIMITED');
  });

  test('a new code ends the previous one, and none is mailed again within a minute', async () => {
    await startPasswordReset(person.email);
    const first = await getCodeTo(owner, person.email);
    await startPasswordReset(person.email);
    assert.equal((await getMailsTo(owner, person.email)).length, 1);
    await owner.query("update password_resets set sent_at = sent_at - interval '61 seconds'");
    await startPasswordReset(person.email);
    assert.equal((await getMailsTo(owner, person.email)).length, 2);
    const second = await getCodeTo(owner, person.email);
    if (first !== second) assert.equal(getCode(await resetPassword(person.email, first)), 'INVALID_CREDENTIALS');
    assert.equal((await resetPassword(person.email, second)).status, 200);
  });

  test('a code expires after ten minutes, and a refused new password does not use it up', async () => {
    await startPasswordReset(person.email);
    const code = await getCodeTo(owner, person.email);
    assert.equal((await resetPassword(person.email, code, 'passwordpassword1')).json.error.details.faults[0].pointer, '/new_password');
    const { rows } = await owner.query('select max(expires_at) - max(sent_at) as life from password_resets');
    assert.equal(rows[0].life.minutes, 10);
    await owner.query("update password_resets set expires_at = now() - interval '1 second'");
    assert.equal(getCode(await resetPassword(person.email, code)), 'INVALID_CREDENTIALS');
  });

  test('an address in any form is that of the account or refused, and the mail goes to the address of the account', async () => {
    const [name = '', domain = ''] = person.email.split('@');
    const refused = [
      ` ${person.email}`,
      `${person.email} `,
      `${name}\u0000@${domain}`,
      `${name}@${domain}\n`,
      `${'x'.repeat(250)}@${domain}`,
      name,
      '',
    ];
    for (const each of refused) {
      assert.equal(getCode(await startPasswordReset(each)), 'VALIDATION_FAILED', JSON.stringify(each));
      assert.equal(getCode(await resetPassword(each, '000000')), 'VALIDATION_FAILED', JSON.stringify(each));
    }
    for (const raw of ['{"email":"\\ud800@example.com"}', '{"email":["a@example.com"]}']) {
      const answer = await call(planes.controlUrl, 'POST', '/v1/auth/password/reset/start', {
        raw,
        headers: { 'x-forwarded-for': newAddress() },
      });
      assert.equal(answer.status, 400, answer.text);
    }
    // The Kelvin sign is a k in lower case.
    const kelvin = await signUp(planes.controlUrl, { email: `kim-${person.user.id.toLowerCase()}@example.com` });
    await startPasswordReset(kelvin.email.replace('kim', '\u212aim'));
    assert.equal((await getMailsTo(owner, kelvin.email))[0]?.to, kelvin.email);
    for (const spelling of [kelvin.email.toUpperCase(), kelvin.email.replace('kim', '\u212aim'), kelvin.email])
      await resetPassword(spelling, other(await getCodeTo(owner, kelvin.email)));
    for (let n = 0; n < strangersMax - 3; n += 1) await login(kelvin.email.toUpperCase(), 'not this one');
    assert.equal(getCode(await login(kelvin.email, kelvin.password)), 'RATE_LIMITED', 'every spelling counts for the one account');
  });

  test('a code is six ASCII digits and nothing else', async () => {
    for (const code of ['12345', '1234567', '١٢٣٤٥٦', '１２３４５６', '12345a', ' 123456', '123456\n', '0x1234', '', 'svc_reset_x'])
      assert.equal(getCode(await resetPassword(person.email, code)), 'VALIDATION_FAILED', JSON.stringify(code));
  });
});

describe('a member whose password an administrator resets', () => {
  const readMember = async (userId: string): Promise<string> =>
    (await owner.query('select id from members where user_id = $1', [userId])).rows[0].id;

  test('by resetMemberPassword gets a private code, is signed out, and cannot use the previous password', async () => {
    const member = await signUp(planes.controlUrl);
    const memberId = await insertMember(owner, {
      organizationId: person.organization.id,
      userId: member.user.id,
      roleId: 'rol_00000000000000000000000007',
    });
    const here = (await post('/v1/auth/login', { email: member.email, password: member.password, organization_id: person.organization.id }))
      .json.token;
    const answer = await post(`/v1/members/${memberId}/reset-password`, {}, person.token);
    assert.deepEqual([answer.status, Object.keys(answer.json)], [200, ['member_id', 'code_expires_at', 'mail_transport']], answer.text);
    const code = await getCodeTo(owner, member.email);
    assert.ok(!answer.text.includes(code));
    // Elsewhere the password stays theirs and gives no access here.
    assert.deepEqual([await readStatus(here), await readStatus(member.token)], [401, 200]);
    const into = () => post('/v1/auth/login', { email: member.email, password: member.password, organization_id: person.organization.id });
    assert.equal(getCode(await into()), 'INVALID_CREDENTIALS');
    assert.equal((await login(member.email, member.password)).status, 200);
    const fresh = (await login(member.email, member.password)).json.token;
    for (const token of [member.token, fresh])
      assert.equal(getCode(await post('/v1/auth/switch', { organization_id: person.organization.id }, token)), 'NOT_FOUND');
    assert.equal((await resetPassword(member.email, code)).status, 200);
    const again = await post('/v1/auth/login', { email: member.email, password: NEW, organization_id: person.organization.id });
    assert.equal(again.status, 200, again.text);
  });

  test('is refused to an administrator with fewer permissions, and so is signing out', async () => {
    const admin = await insertPerson(owner, person.organization.id, 'admin');
    const limited = (await call(planes.controlUrl, 'POST', '/v1/workspaces', { token: person.token, body: { name: 'One' } })).json.id;
    for (const what of ['reset-password', 'revoke-sessions']) {
      const within = await insertPerson(owner, person.organization.id, 'admin', { workspaces: [limited] });
      const refused = await post(`/v1/members/${await readMember(person.user.id)}/${what}`, {}, admin.token);
      assert.deepEqual([getCode(refused), refused.json.error.details], ['PERMISSION_DENIED', {}], what);
      assert.equal(getCode(await post(`/v1/members/${await readMember(admin.id)}/${what}`, {}, within.token)), 'PERMISSION_DENIED', what);
      assert.equal((await post(`/v1/members/${await readMember(within.id)}/${what}`, {}, admin.token)).status, 200, what);
    }
    assert.equal(await readStatus(person.token), 200);
  });
});

test('a terminal sign-in from a network without sessions of the person notifies them by mail, once', async () => {
  const letIn = async (from: string) => {
    const terminal = await startTerminal(planes.controlUrl);
    assert.equal((await approve(planes.controlUrl, person.token, terminal)).status, 200);
    const { request_id, code_verifier } = terminal;
    const answer = await post('/v1/auth/cli/token', { request_id, code_verifier }, undefined, from);
    assert.equal(answer.status, 200, answer.text);
  };
  const told = async () =>
    (await getMailsTo(owner, person.email)).flatMap(({ values }) => (values.what?.startsWith('A terminal') ? [values.source_ip] : []));
  await letIn('127.0.0.1');
  assert.deepEqual(await told(), [], 'from where the browser is too');
  const from = newAddress();
  await letIn(from);
  assert.deepEqual(await told(), [from]);
  await letIn(from);
  assert.deepEqual(await told(), [from], 'where the terminal before came from');
});
