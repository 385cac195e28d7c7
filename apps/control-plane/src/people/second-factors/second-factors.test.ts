import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { getMailsTo } from '@svc/testing/people/mails-to.ts';
import {
  beginSignIn,
  computeTotpCode,
  type EnrolledTotp,
  enrolTotp,
  forgetSteps,
  getWrongCode,
  stepUpAndEnrol,
  waitForWithinStep,
} from '@svc/testing/people/second-factors.ts';
import { type SignedUp, signUp, stepUp } from '@svc/testing/people/tenant.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';

let planes: Planes;
let database: pg.Client;
before(async () => {
  planes = await leasePlanes();
  database = await planes.database.client();
});
// Other tests used these planes before and guessed from the same address.
beforeEach(() => database.query('delete from sign_in_failures'));
after(async () => {
  await database.end();
  await planes.stop();
});

const post = (path: string, body: object, token?: string) => call(planes.controlUrl, 'POST', path, { token, body });
const get = (path: string, token: string) => call(planes.controlUrl, 'GET', path, { token });
const getMfa = (token: string) => get('/v1/auth/mfa', token);
const confirmTotp = (id: string, typed: string, token: string) => post(`/v1/auth/mfa/totp/${id}/confirm`, { code: typed }, token);
const regenerateRecoveryCodes = (token: string) => post('/v1/auth/mfa/recovery-codes', {}, token);
const removeFactor = (id: string, token: string) => call(planes.controlUrl, 'DELETE', `/v1/auth/mfa/factors/${id}`, { token });
const code = ({ json }: Awaited<ReturnType<typeof call>>) => json?.error?.code;
const verifyMfa = (mfa_challenge: string, proof: object) => post('/v1/auth/mfa/verify', { mfa_challenge, ...proof });

/** Creates a user with a TOTP secret, whose session has a second factor. */
const newPerson = async (): Promise<SignedUp & EnrolledTotp> => {
  const person = await signUp(planes.controlUrl);
  return { ...person, ...(await stepUpAndEnrol(planes.controlUrl, person)) };
};
const begin = async (person: SignedUp) => (await beginSignIn(planes.controlUrl, person)).mfa_challenge;

describe('enrolling an authenticator app', () => {
  test('requires a recent step-up, returns the secret once, and proves nothing before its first code', async () => {
    const person = await signUp(planes.controlUrl);
    assert.equal(code(await post('/v1/auth/mfa/totp', {}, person.token)), 'STEP_UP_REQUIRED');
    await stepUp(planes.controlUrl, person);
    const { json, status } = await post('/v1/auth/mfa/totp', { name: 'Phone' }, person.token);
    assert.equal(status, 201);
    assert.match(json.secret, /^[A-Z2-7]{32}$/);
    const url = new URL(json.otpauth_url);
    const asked = ['secret', 'digits', 'period', 'algorithm'].map((name) => url.searchParams.get(name));
    assert.deepEqual(asked, [json.secret, '6', '30', 'SHA1']);
    assert.ok(decodeURIComponent(url.pathname).endsWith(person.email));
    assert.match(Buffer.from(json.qr_code.split(',')[1], 'base64').toString(), /^<svg/);
    assert.equal((await post('/v1/auth/login', { email: person.email, password: person.password })).json.mfa_required, undefined);
    assert.equal(code(await confirmTotp(json.id, getWrongCode(json.secret), person.token)), 'INVALID_CREDENTIALS');
    const confirmed = await confirmTotp(json.id, computeTotpCode(json.secret), person.token);
    assert.deepEqual([confirmed.status, confirmed.json.factor.name, confirmed.json.recovery_codes.length], [200, 'Phone', 10]);
    assert.equal(code(await confirmTotp(json.id, computeTotpCode(json.secret, 1), person.token)), 'NOT_FOUND');
    const { json: mfa, text } = await get('/v1/auth/mfa', person.token);
    assert.deepEqual([mfa.factors.length, mfa.recovery_codes_left, mfa.amr.toSorted()], [1, 10, ['PASSWORD', 'TOTP']]);
    assert.ok(!text.includes(json.secret));
  });

  test('is confirmed only in the session that started it, with its own code', async () => {
    const [person, other] = [await signUp(planes.controlUrl), await signUp(planes.controlUrl)];
    for (const each of [person, other]) await stepUp(planes.controlUrl, each);
    const { id, secret } = (await post('/v1/auth/mfa/totp', {}, person.token)).json;
    const again = (await post('/v1/auth/login', { email: person.email, password: person.password })).json.token;
    await stepUp(planes.controlUrl, { token: again, password: person.password });
    for (const token of [other.token, again]) assert.equal(code(await confirmTotp(id, computeTotpCode(secret), token)), 'NOT_FOUND');
  });

  test('stores its secret sealed for this person and this row', async () => {
    const [one, other] = [await newPerson(), await newPerson()];
    const { rows } = await database.query('select sealed_secret from second_factors where id = $1', [one.factorId]);
    assert.ok(!rows[0].sealed_secret.toString('latin1').includes(one.secret));
    await database.query('update second_factors set sealed_secret = $1 where id = $2', [rows[0].sealed_secret, other.factorId]);
    const answer = await verifyMfa(await begin(other), { code: computeTotpCode(one.secret) });
    assert.ok(answer.status >= 400, answer.text);
  });

  test('is refused to a session that proved only a password before the factor existed, as is every other step-up of it', async () => {
    const person = await signUp(planes.controlUrl);
    const stolen = (await post('/v1/auth/login', { email: person.email, password: person.password })).json.token;
    await stepUp(planes.controlUrl, { token: stolen, password: person.password });
    const { factorId, secret } = await stepUpAndEnrol(planes.controlUrl, person);
    assert.equal(code(await post('/v1/auth/mfa/totp', {}, stolen)), 'STEP_UP_REQUIRED');
    const removed = await removeFactor(factorId, stolen);
    assert.equal(code(removed), 'STEP_UP_REQUIRED');
    assert.equal(code(await post('/v1/auth/step-up', { password: person.password }, stolen)), 'VALIDATION_FAILED');
    assert.equal((await post('/v1/auth/step-up', { code: computeTotpCode(secret) }, stolen)).status, 200);
  });
});

describe('signing in with a second factor', () => {
  test('answers with a challenge, which a code turns into a session that rests on both', async () => {
    const person = await newPerson();
    const challenge = await beginSignIn(planes.controlUrl, person);
    assert.deepEqual(Object.keys(challenge).toSorted(), ['expires_at', 'methods', 'mfa_challenge', 'mfa_required']);
    assert.deepEqual(challenge.methods, ['TOTP', 'RECOVERY_CODE', 'DEVICE']);
    assert.equal((await get('/v1/auth/session', challenge.mfa_challenge)).status, 401);
    const { status, json } = await verifyMfa(challenge.mfa_challenge, { code: computeTotpCode(person.secret) });
    assert.equal(status, 200);
    assert.deepEqual([json.user.id, json.organization.id], [person.user.id, person.organization.id]);
    const session = (await get('/v1/auth/session', json.token)).json;
    assert.deepEqual([session.amr, session.mfa_required], [['PASSWORD', 'TOTP'], false]);
    assert.equal(code(await verifyMfa(challenge.mfa_challenge, { code: computeTotpCode(person.secret, 1) })), 'INVALID_CREDENTIALS');
  });

  test('accepts each code once, and none older than the last, across concurrent instances', async () => {
    const person = await newPerson();
    // Those after the first count as wrong guesses: fewer than lock the account.
    const challenges = await Promise.all(Array.from({ length: 5 }, () => begin(person)));
    const right = computeTotpCode(person.secret);
    const answers = await Promise.all(challenges.map((challenge) => verifyMfa(challenge, { code: right })));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    const challenge = await begin(person);
    for (const old of [right, computeTotpCode(person.secret, -1)])
      assert.equal(code(await verifyMfa(challenge, { code: old })), 'INVALID_CREDENTIALS');
    assert.equal((await verifyMfa(challenge, { code: computeTotpCode(person.secret, 1) })).status, 200);
  });

  test('accepts a code one step early or late, of exactly six ASCII digits', async () => {
    const person = await newPerson();
    const challenge = await begin(person);
    const right = computeTotpCode(person.secret);
    const shifted = (zero: number) => [...right].map((digit) => String.fromCodePoint(zero + Number(digit))).join('');
    const spellings = [0xff10, 0x0660, 0x06f0, 0x0966, 0x1d7ce].map(shifted);
    const others = [
      ` ${right}`,
      `${right} `,
      `${right}\n`,
      `\t${right}`,
      `0${right}`,
      right.slice(1),
      `${right}\u0000`,
      `+${right.slice(1)}`,
      '',
      '1e5   ',
    ];
    for (const spelling of [...spellings, ...others, Number(right), null, [right]])
      assert.equal(code(await verifyMfa(challenge, { code: spelling })), 'VALIDATION_FAILED', JSON.stringify(spelling));
    for (const far of [-3, -2, 2, 3]) {
      const waiting = await begin(person);
      await waitForWithinStep();
      const guess = computeTotpCode(person.secret, far);
      if (![-1, 0, 1].some((near) => computeTotpCode(person.secret, near) === guess))
        assert.equal(code(await verifyMfa(waiting, { code: guess })), 'INVALID_CREDENTIALS', String(far));
    }
    assert.equal((await verifyMfa(challenge, { code: right })).status, 200);
  });

  test('requires exactly one proof, and an issued challenge', async () => {
    const person = await newPerson();
    const challenge = await begin(person);
    const right = { code: computeTotpCode(person.secret) };
    for (const proof of [{}, { ...right, recovery_code: person.recoveryCodes[0] }, { ...right, device_approval_id: 'dap_x' }])
      assert.equal(code(await verifyMfa(challenge, proof)), 'VALIDATION_FAILED');
    for (const token of [`${challenge}x`, challenge.toUpperCase(), person.token, 'x', challenge.slice(0, -1)])
      assert.equal(code(await verifyMfa(token, right)), 'INVALID_CREDENTIALS');
    assert.equal((await verifyMfa(challenge, right)).status, 200);
  });

  test('is refused with a factor of another person or a challenge of another network, and ends after five wrong codes', async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    const challenge = await begin(person);
    for (const proof of [{ code: computeTotpCode(other.secret) }, { recovery_code: other.recoveryCodes[0] }])
      assert.equal(code(await verifyMfa(challenge, proof)), 'INVALID_CREDENTIALS');
    for (const _ of Array(3)) await verifyMfa(challenge, { code: getWrongCode(person.secret) });
    assert.equal(code(await verifyMfa(challenge, { code: computeTotpCode(person.secret) })), 'INVALID_CREDENTIALS');
    const moved = await begin(person);
    await database.query("update mfa_challenges set source = '192.0.2.7' where user_id = $1", [person.user.id]);
    assert.equal(code(await verifyMfa(moved, { code: computeTotpCode(person.secret) })), 'INVALID_CREDENTIALS');
    await database.query('delete from sign_in_failures');
    const late = await begin(person);
    await database.query("update mfa_challenges set expires_at = now() - interval '1 second' where user_id = $1", [person.user.id]);
    assert.equal(code(await verifyMfa(late, { code: computeTotpCode(person.secret) })), 'INVALID_CREDENTIALS');
    await database.query('delete from sign_in_failures');
    assert.equal((await verifyMfa(await begin(person), { code: computeTotpCode(person.secret) })).status, 200);
  });

  test('ends with the membership', async () => {
    const person = await newPerson();
    const challenge = await begin(person);
    await database.query('delete from members where user_id = $1', [person.user.id]);
    assert.equal(code(await verifyMfa(challenge, { code: computeTotpCode(person.secret) })), 'INVALID_CREDENTIALS');
  });
});

describe('a recovery code', () => {
  test('replaces the factor once: of 32 concurrent uses one wins, in any form', async () => {
    const person = await newPerson();
    const [recovery = '', next = ''] = person.recoveryCodes;
    const spellings = [recovery, recovery.toUpperCase(), recovery.replaceAll('-', '')];
    const challenges: string[] = [];
    for (const _ of Array(16)) challenges.push(await begin(person));
    const twice = [...challenges, ...challenges];
    const answers = await Promise.all(twice.map((each, index) => verifyMfa(each, { recovery_code: spellings[index % 3] })));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    await database.query('delete from sign_in_failures');
    for (const spelling of spellings) assert.notEqual((await verifyMfa(await begin(person), { recovery_code: spelling })).status, 200);
    await database.query('delete from sign_in_failures');
    assert.equal((await verifyMfa(await begin(person), { recovery_code: next })).status, 200);
    assert.equal((await getMfa(person.token)).json.recovery_codes_left, 8);
  });

  test('is stored as a keyed hash, and ten new ones replace the previous ones', async () => {
    const person = await newPerson();
    await database.query('update sessions set stepped_up_until = null where user_id = $1', [person.user.id]);
    assert.equal(code(await regenerateRecoveryCodes(person.token)), 'STEP_UP_REQUIRED');
    await post('/v1/auth/step-up', { code: computeTotpCode(person.secret) }, person.token);
    const { status, json } = await regenerateRecoveryCodes(person.token);
    assert.deepEqual([status, json.recovery_codes.length, new Set(json.recovery_codes).size], [201, 10, 10]);
    const [old = ''] = person.recoveryCodes;
    assert.equal(code(await verifyMfa(await begin(person), { recovery_code: old })), 'INVALID_CREDENTIALS');
    const { rows } = await database.query('select encode(code_hash, $1) as hash from recovery_codes where user_id = $2', [
      'hex',
      person.user.id,
    ]);
    assert.equal(rows.length, 10);
    assert.ok(rows.every(({ hash }) => /^[0-9a-f]{64}$/.test(hash)));
    assert.equal((await verifyMfa(await begin(person), { recovery_code: json.recovery_codes[9] })).status, 200);
  });
});

describe('removing a factor', () => {
  test('requires a step-up with it, and removes the recovery codes with the last one', async () => {
    const person = await newPerson();
    await forgetSteps(database, person.user.id);
    await post('/v1/auth/step-up', { code: computeTotpCode(person.secret) }, person.token);
    const second = await enrolTotp(planes.controlUrl, person, 'Tablet');
    assert.deepEqual(second.recoveryCodes, [], 'with the first alone');
    assert.equal((await removeFactor(person.factorId, person.token)).status, 200);
    assert.equal(code(await removeFactor(person.factorId, person.token)), 'NOT_FOUND');
    assert.equal((await getMfa(person.token)).json.recovery_codes_left, 10);
    assert.equal((await removeFactor(second.factorId, person.token)).status, 200);
    assert.equal((await getMfa(person.token)).json.recovery_codes_left, 0);
    const { token } = await mustCall(planes.controlUrl, 'POST', '/v1/auth/login', {
      body: { email: person.email, password: person.password },
    });
    assert.ok(token);
  });

  test('is refused for that of another person as unknown', async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    assert.equal(code(await removeFactor(other.factorId, person.token)), 'NOT_FOUND');
    assert.equal((await getMfa(other.token)).json.factors.length, 1);
  });
});

describe('the person is notified by mail', () => {
  const noticesTo = async (email: string) =>
    (await getMailsTo(database, email)).filter(({ template }) => template === 'account-notice').map(({ values }) => values.what);

  test('of a factor that is added or removed, of new recovery codes, and of a key that an owner creates', async () => {
    const person = await newPerson();
    const send = (method: string, path: string, body?: object) =>
      call(planes.controlUrl, method, path, { token: person.token, ...(body ? { body } : {}) });
    assert.ok((await send('POST', '/v1/auth/mfa/recovery-codes', {})).status < 300);
    assert.ok((await send('POST', '/v1/api-keys', { name: 'Key', role_id: getBuiltInRole('viewer').id })).status < 300);
    assert.equal((await send('DELETE', `/v1/auth/mfa/factors/${person.factorId}`)).status, 200);
    const told = await noticesTo(person.email);
    assert.deepEqual(
      [/factor was added/, /recovery codes/, /API key/, /factor was removed/].map((sentence, n) => sentence.test(told[n] ?? '')),
      [true, true, true, true],
      told.join(),
    );
    assert.equal(told.length, 4);
  });

  test('of a removal by an administrator, after which a password too short to be the only proof is refused', async () => {
    const [admin, person] = [await signUp(planes.controlUrl), await signUp(planes.controlUrl)];
    await database.query('update members set organization_id = $1, role_id = $3 where user_id = $2', [
      admin.organization.id,
      person.user.id,
      getBuiltInRole('viewer').id,
    ]);
    const login = () => call(planes.controlUrl, 'POST', '/v1/auth/login', { body: { email: person.email, password: person.password } });
    const { token } = (await login()).json;
    await stepUpAndEnrol(planes.controlUrl, { token, password: person.password });
    await database.query('update users set password_is_short = true where id = $1', [person.user.id]);
    await stepUp(planes.controlUrl, admin);
    const { rows } = await database.query('select id from members where user_id = $1', [person.user.id]);
    const reset = await call(planes.controlUrl, 'POST', `/v1/members/${rows[0].id}/reset-mfa`, { token: admin.token, body: {} });
    assert.equal(reset.status, 200, reset.text);
    assert.equal((await login()).status, 401);
    const stored = await database.query('select password_hash from users where id = $1', [person.user.id]);
    assert.equal(stored.rows[0].password_hash, null);
    assert.match((await noticesTo(person.email)).at(-1) ?? '', /administrator/);
  });
});
