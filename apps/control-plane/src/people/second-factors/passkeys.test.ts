import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type Bent, newAuthenticator } from '@svc/testing/people/authenticator.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { beginSignIn, type EnrolledPasskey, enrolPasskey, getOrigin, stepUpAndEnrol } from '@svc/testing/people/second-factors.ts';
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
const must = (path: string, body: object, token?: string) => mustCall(planes.controlUrl, 'POST', path, { token, body });
const code = ({ json }: Awaited<ReturnType<typeof call>>) => json?.error?.code;

const preparePasskey = async (token: string, body: object = {}) => (await must('/v1/auth/mfa/passkeys/options', body, token)).public_key;

/** Creates a user with a password and a passkey. */
const newPerson = async (): Promise<SignedUp & EnrolledPasskey> => {
  const person = await signUp(planes.controlUrl);
  await stepUp(planes.controlUrl, person);
  return { ...person, ...(await enrolPasskey(planes.controlUrl, person)) };
};
const startPasskeySignIn = async () => (await must('/v1/auth/passkey/start', {})).public_key;
const verifyPasskeySignIn = (passkey: object, more: object = {}) => post('/v1/auth/passkey/verify', { passkey, ...more });

/** Lists each way to forge a ceremony. */
const dishonest = (): [string, Bent][] => [
  ['another page', { origin: 'https://evil.example' }],
  ['a page of another port', { origin: `${getOrigin(planes.controlUrl)}0` }],
  ['the plane by its number', { origin: planes.controlUrl }],
  ['another relying party', { rpId: 'evil.example' }],
  ['without user verification', { isUnverified: true }],
  ['an unknown challenge', { challenge: 'AAAA' }],
  ['the other kind of ceremony', { type: 'webauthn.payment' }],
];

describe('enrolling a passkey', () => {
  test('requires a recent step-up, a resident key and user verification', async () => {
    const person = await signUp(planes.controlUrl);
    assert.equal(code(await post('/v1/auth/mfa/passkeys/options', {}, person.token)), 'STEP_UP_REQUIRED');
    await stepUp(planes.controlUrl, person);
    const { public_key } = await must('/v1/auth/mfa/passkeys/options', {}, person.token);
    assert.deepEqual([public_key.rp.id, public_key.user.name, public_key.attestation], ['localhost', person.email, 'none']);
    const { residentKey, userVerification } = public_key.authenticatorSelection;
    assert.deepEqual([residentKey, userVerification], ['required', 'required']);
    const passkey = newAuthenticator(getOrigin(planes.controlUrl)).create(public_key);
    const answer = await post('/v1/auth/mfa/passkeys', { name: 'Key', passkey }, person.token);
    assert.deepEqual([answer.status, answer.json.factor.kind, answer.json.recovery_codes.length], [201, 'PASSKEY', 10]);
    assert.equal(code(await post('/v1/auth/mfa/passkeys', { passkey }, person.token)), 'VALIDATION_FAILED', 'the same options twice');
  });

  test('refuses every forged ceremony or one of another session, and a registered passkey', async () => {
    const [person, other] = [await signUp(planes.controlUrl), await signUp(planes.controlUrl)];
    for (const each of [person, other]) await stepUp(planes.controlUrl, each);
    const options = async (token: string) => (await must('/v1/auth/mfa/passkeys/options', {}, token)).public_key;
    const authenticator = newAuthenticator(getOrigin(planes.controlUrl));
    for (const [what, bent] of dishonest()) {
      const passkey = authenticator.create(await options(person.token), bent);
      assert.equal(code(await post('/v1/auth/mfa/passkeys', { passkey }, person.token)), 'VALIDATION_FAILED', what);
    }
    const foreign = authenticator.create(await options(other.token));
    assert.equal(code(await post('/v1/auth/mfa/passkeys', { passkey: foreign }, person.token)), 'VALIDATION_FAILED');
    assert.equal((await post('/v1/auth/mfa/passkeys', { passkey: foreign }, other.token)).status, 201);
    const again = authenticator.create(await options(person.token));
    assert.equal(code(await post('/v1/auth/mfa/passkeys', { passkey: again }, person.token)), 'CONFLICT');
  });

  test('answers malformed passkeys with an error, and never fails', async () => {
    const person = await signUp(planes.controlUrl);
    await stepUp(planes.controlUrl, person);
    const { public_key } = await must('/v1/auth/mfa/passkeys/options', {}, person.token);
    const right = newAuthenticator(getOrigin(planes.controlUrl)).create(public_key);
    const nested = Buffer.alloc(6_000, 0x81).toString('base64url');
    const cut = right.response.attestationObject.slice(0, 120);
    for (const attestationObject of ['AAAA', nested, cut, 'o2NmbXRkbm9uZQ', '_'])
      for (const response of [
        { ...right.response, attestationObject },
        { ...right.response, clientDataJSON: attestationObject },
      ])
        assert.equal(code(await post('/v1/auth/mfa/passkeys', { passkey: { ...right, response } }, person.token)), 'VALIDATION_FAILED');
    for (const passkey of [null, {}, { ...right, id: 'a b' }, { ...right, type: 'other' }, { ...right, rawId: 'BBBB' }])
      assert.equal(code(await post('/v1/auth/mfa/passkeys', { passkey }, person.token)), 'VALIDATION_FAILED');
  });
});

describe('signing in with a passkey and no password', () => {
  test('opens a session that rests on it, in the named organization', async () => {
    const { authenticator, user, organization } = await newPerson();
    const { status, json } = await verifyPasskeySignIn(authenticator.get(await startPasskeySignIn()), { organization_id: organization.id });
    assert.deepEqual([status, json.user?.id], [200, user.id]);
    const session = await call(planes.controlUrl, 'GET', '/v1/auth/session', { token: json.token });
    assert.deepEqual(session.json.amr, ['PASSKEY']);
    const elsewhere = await signUp(planes.controlUrl);
    const answer = await verifyPasskeySignIn(authenticator.get(await startPasskeySignIn()), { organization_id: elsewhere.organization.id });
    assert.equal(code(answer), 'INVALID_CREDENTIALS');
  });

  test('accepts each ceremony once: of 16 concurrent uses one wins, and a replay is refused', async () => {
    const { authenticator } = await newPerson();
    const passkey = authenticator.get(await startPasskeySignIn());
    const answers = await Promise.all(Array.from({ length: 16 }, () => verifyPasskeySignIn(passkey)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.equal(code(await verifyPasskeySignIn(passkey)), 'INVALID_CREDENTIALS');
  });

  test('refuses a replay from an authenticator without a signature counter', async () => {
    const { authenticator } = await newPerson();
    const options = await startPasskeySignIn();
    const [one, other] = [0, 1].map(() => authenticator.get(options, { signCount: 0 }));
    assert.equal((await verifyPasskeySignIn(one ?? {})).status, 200);
    assert.equal(code(await verifyPasskeySignIn(other ?? {})), 'INVALID_CREDENTIALS');
    assert.equal((await verifyPasskeySignIn(authenticator.get(await startPasskeySignIn(), { signCount: 0 }))).status, 200);
  });

  test('refuses every forged or expired ceremony, and one with a lower signature counter', async () => {
    const { authenticator, user } = await newPerson();
    assert.equal((await verifyPasskeySignIn(authenticator.get(await startPasskeySignIn(), { signCount: 7 }))).status, 200);
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const ways: [string, Bent][] = [...dishonest(), ['another key', { key: stranger }], ['a count that did not grow', { signCount: 7 }]];
    for (const [what, bent] of ways)
      assert.equal(
        code(await verifyPasskeySignIn(authenticator.get(await startPasskeySignIn(), { signCount: 8, ...bent }))),
        'INVALID_CREDENTIALS',
        what,
      );
    const unknown = newAuthenticator(getOrigin(planes.controlUrl));
    assert.equal(code(await verifyPasskeySignIn(unknown.get(await startPasskeySignIn()))), 'INVALID_CREDENTIALS');
    const { rows } = await database.query(
      "select count(*)::int as n from audit_events where type = 'user.login_failed' and subject_id = $1",
      [user.id],
    );
    assert.equal(rows[0].n, ways.length);
  });

  test('refuses ceremonies of other purposes, in both directions', async () => {
    const person = await newPerson();
    const { authenticator, token } = person;
    const stepUpOptions = await preparePasskey(token, { purpose: 'STEP_UP' });
    assert.equal(code(await verifyPasskeySignIn(authenticator.get(stepUpOptions))), 'INVALID_CREDENTIALS');
    assert.equal(
      code(await post('/v1/auth/step-up', { passkey: authenticator.get(await startPasskeySignIn()) }, token)),
      'INVALID_CREDENTIALS',
    );
    const { mfa_challenge } = await beginSignIn(planes.controlUrl, person);
    const passkey = authenticator.get(await startPasskeySignIn());
    assert.equal(code(await post('/v1/auth/mfa/verify', { mfa_challenge, passkey })), 'INVALID_CREDENTIALS');
  });
});

test('a passkey completes a challenge of its own sign-in only, and a step-up of its own session only', async () => {
  const person = await newPerson();
  const { authenticator } = person;
  const [one, other] = [await beginSignIn(planes.controlUrl, person), await beginSignIn(planes.controlUrl, person)];
  assert.deepEqual(one.methods.slice(0, 2), ['PASSKEY', 'RECOVERY_CODE']);
  const { public_key } = await must('/v1/auth/mfa/challenge', { mfa_challenge: one.mfa_challenge, method: 'PASSKEY' });
  assert.deepEqual(
    public_key.allowCredentials.map(({ id }: { id: string }) => id),
    [authenticator.id],
  );
  const passkey = authenticator.get(public_key);
  assert.equal(code(await post('/v1/auth/mfa/verify', { mfa_challenge: other.mfa_challenge, passkey })), 'INVALID_CREDENTIALS');
  const { status, json } = await post('/v1/auth/mfa/verify', { mfa_challenge: one.mfa_challenge, passkey });
  assert.equal(status, 200);
  const options = await preparePasskey(json.token, { purpose: 'STEP_UP' });
  assert.equal(code(await post('/v1/auth/step-up', { passkey: authenticator.get(options) }, person.token)), 'INVALID_CREDENTIALS');
  assert.equal(code(await post('/v1/auth/step-up', { password: person.password }, json.token)), 'VALIDATION_FAILED');
  assert.equal((await post('/v1/auth/step-up', { passkey: authenticator.get(options) }, json.token)).status, 200);
});

test('a person without a password steps up with a passkey', async () => {
  const { authenticator, user } = await newPerson();
  await database.query('update users set password_hash = null where id = $1', [user.id]);
  const { token } = (await verifyPasskeySignIn(authenticator.get(await startPasskeySignIn()))).json;
  const options = await preparePasskey(token, { purpose: 'STEP_UP' });
  assert.equal((await post('/v1/auth/step-up', { passkey: authenticator.get(options) }, token)).status, 200);
});

test('completed ceremonies are stored as a hash, and started ones are not stored', async () => {
  const count = async () => (await database.query('select count(*)::int as n from used_passkey_challenges')).rows[0].n;
  const { authenticator } = await newPerson();
  const before = await count();
  for (const _ of Array(5)) await startPasskeySignIn();
  assert.equal(await count(), before);
  await verifyPasskeySignIn(authenticator.get(await startPasskeySignIn()));
  assert.equal(await count(), before + 1);
});

test('a person with an authenticator app has a choice', async () => {
  const person = await signUp(planes.controlUrl);
  await stepUpAndEnrol(planes.controlUrl, person);
  await enrolPasskey(planes.controlUrl, person);
  const { methods } = await beginSignIn(planes.controlUrl, person);
  assert.deepEqual(methods, ['TOTP', 'PASSKEY', 'RECOVERY_CODE', 'DEVICE']);
});
