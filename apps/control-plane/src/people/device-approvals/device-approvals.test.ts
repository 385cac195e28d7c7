import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { beginSignIn, computeTotpCode, type EnrolledTotp, stepUpAndEnrol } from '@svc/testing/people/second-factors.ts';
import { type SignedUp, signUp } from '@svc/testing/people/tenant.ts';
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

const APPROVALS = '/v1/auth/mfa/device-approvals';
const post = (path: string, body: object, token?: string) => call(planes.controlUrl, 'POST', path, { token, body });
const listDeviceApprovals = async (token: string) => (await call(planes.controlUrl, 'GET', APPROVALS, { token })).json;
const approveDevice = (id: string, number: number, token: string) => post(`${APPROVALS}/${id}/approve`, { number }, token);
const denyDevice = (id: string, token: string) => post(`${APPROVALS}/${id}/deny`, {}, token);
const prepareMfa = (body: object) => mustCall(planes.controlUrl, 'POST', '/v1/auth/mfa/challenge', { body });
const code = ({ json }: Awaited<ReturnType<typeof call>>) => json?.error?.code;

/** Creates a user whose session has a TOTP code as second factor. */
const newPerson = async (): Promise<SignedUp & EnrolledTotp> => {
  const person = await signUp(planes.controlUrl);
  return { ...person, ...(await stepUpAndEnrol(planes.controlUrl, person)) };
};

/** Begins a sign-in of the person and requests an approval. */
const ask = async (person: SignedUp) => {
  const { mfa_challenge } = await beginSignIn(planes.controlUrl, person);
  const state = async () => (await prepareMfa({ mfa_challenge, method: 'DEVICE' })).device_approval;
  const { id, number, status } = await state();
  const verify = () => post('/v1/auth/mfa/verify', { mfa_challenge, device_approval_id: id });
  return { id, number, status, state, verify, mfa_challenge };
};

test('a sign-in that requires approval is shown with its origin, and continues once a signed-in person types its number', async () => {
  const person = await newPerson();
  const asked = await ask(person);
  assert.deepEqual([asked.status, asked.number >= 10 && asked.number <= 99], ['PENDING', true]);
  assert.deepEqual(await asked.state(), await asked.state(), 'asked again, it is the same request');
  const [shown, ...more] = await listDeviceApprovals(person.token);
  assert.deepEqual([shown.id, shown.source_ip, more.length], [asked.id, '127.0.0.1', 0]);
  assert.doesNotMatch(JSON.stringify(shown), new RegExp(`:${asked.number}[,}]`), 'the number is known where the sign-in is alone');
  assert.equal(code(await asked.verify()), 'INVALID_CREDENTIALS');
  const answer = await approveDevice(asked.id, asked.number, person.token);
  assert.deepEqual([answer.status, answer.json], [200, { approved: true }]);
  assert.equal((await asked.state()).status, 'APPROVED');
  const { json } = await asked.verify();
  const session = await call(planes.controlUrl, 'GET', '/v1/auth/session', { token: json.token });
  assert.deepEqual(session.json.amr, ['PASSWORD', 'DEVICE']);
  assert.equal(code(await asked.verify()), 'INVALID_CREDENTIALS');
  assert.deepEqual(await listDeviceApprovals(person.token), []);
});

test('another number or a denial refuses it permanently, and a decision is final', async () => {
  const person = await newPerson();
  for (const decide of [
    async (id: string, number: number) => approveDevice(id, number === 99 ? 10 : number + 1, person.token),
    async (id: string) => denyDevice(id, person.token),
  ]) {
    const { id, number, state, verify } = await ask(person);
    await decide(id, number);
    assert.equal((await state()).status, 'DENIED');
    assert.equal(code(await approveDevice(id, number, person.token)), 'GONE');
    assert.equal(code(await verify()), 'INVALID_CREDENTIALS');
  }
});

test('only its own person can decide, and approve only in a session with more than a password', async () => {
  const person = await signUp(planes.controlUrl);
  const weak = (await post('/v1/auth/login', { email: person.email, password: person.password })).json.token;
  const { secret } = await stepUpAndEnrol(planes.controlUrl, person);
  const other = await newPerson();
  const { id, number, verify } = await ask(person);
  for (const way of ['approve', 'deny'])
    assert.equal(code(await post(`${APPROVALS}/${id}/${way}`, way === 'deny' ? {} : { number }, other.token)), 'NOT_FOUND');
  assert.deepEqual(await listDeviceApprovals(other.token), []);
  assert.equal(code(await approveDevice(id, number, weak)), 'PERMISSION_DENIED');
  assert.equal((await post('/v1/auth/step-up', { code: computeTotpCode(secret) }, weak)).status, 200);
  assert.equal((await approveDevice(id, number, weak)).status, 200);
  assert.equal((await verify()).status, 200);
});

test('an approval ends with its session or its time, and is invalid for another sign-in', async () => {
  const person = await newPerson();
  const [one, other, late] = [await ask(person), await ask(person), await ask(person)];
  await approveDevice(one.id, one.number, person.token);
  const swapped = await post('/v1/auth/mfa/verify', { mfa_challenge: other.mfa_challenge, device_approval_id: one.id });
  assert.equal(code(swapped), 'INVALID_CREDENTIALS');
  await database.query("update device_approvals set expires_at = now() - interval '1 second' where id = $1", [late.id]);
  assert.equal(code(await approveDevice(late.id, late.number, person.token)), 'GONE');
  assert.equal((await late.state()).status, 'EXPIRED');
  await post('/v1/auth/logout', {}, person.token);
  assert.equal(code(await one.verify()), 'INVALID_CREDENTIALS');
});

test('without a session with a second factor no approval can be requested, and an approval is no guess for the lockout', async () => {
  const person = await newPerson();
  const { verify } = await ask(person);
  for (const _ of Array(12)) assert.equal(code(await verify()), 'INVALID_CREDENTIALS');
  await post('/v1/auth/logout', {}, person.token);
  const { methods, mfa_challenge } = await beginSignIn(planes.controlUrl, person);
  assert.deepEqual(methods, ['TOTP', 'RECOVERY_CODE']);
  assert.equal(code(await post('/v1/auth/mfa/challenge', { mfa_challenge, method: 'DEVICE' })), 'CONFLICT');
  assert.equal(code(await post('/v1/auth/mfa/challenge', { mfa_challenge, method: 'PASSKEY' })), 'CONFLICT');
});
