import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import {
  beginSignIn,
  computeTotpCode,
  enrolPasskey,
  enrolTotp,
  forgetSteps,
  getWrongCode,
  stepUpAndEnrol,
} from '@svc/testing/people/second-factors.ts';
import { type SignedUp, signUp, stepUp } from '@svc/testing/people/tenant.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { insertMember, insertPerson } from '@svc/testing/records/insert-person.ts';
import type pg from 'pg';

let planes: Planes;
let database: pg.Client;
before(async () => {
  planes = await leasePlanes();
  database = await planes.database.client();
});
beforeEach(() => database.query('delete from sign_in_failures'));
after(async () => {
  await database.end();
  await planes.stop();
});

const send = (method: string, path: string, token?: string, body?: object) => call(planes.controlUrl, method, path, { token, body });
const post = (path: string, body: object, token?: string) => send('POST', path, token, body);
const code = ({ json }: Awaited<ReturnType<typeof call>>) => json?.error?.code;
const requireFactor = ({ organization }: SignedUp, isRequired = true) =>
  database.query('update organizations set require_mfa = $2 where id = $1', [organization.id, isRequired]);

/** Endpoints that a session without the required second factor may reach; typed by hand. */
const REACHED = [
  'POST /v1/auth/logout',
  'GET /v1/auth/session',
  'GET /v1/auth/organizations',
  'POST /v1/auth/switch',
  'POST /v1/auth/step-up',
  'GET /v1/auth/mfa',
  'POST /v1/auth/mfa/totp',
  'POST /v1/auth/mfa/totp/{factorId}/confirm',
  'POST /v1/auth/mfa/passkeys/options',
  'POST /v1/auth/mfa/passkeys',
];

describe('where an organization requires a second factor', () => {
  test('a session without one can only enrol, on every row, from the next request on', async () => {
    const person = await signUp(planes.controlUrl);
    assert.equal((await send('GET', '/v1/agents', person.token)).status, 200);
    await requireFactor(person);
    const rows: readonly Endpoint[] = Object.values(ENDPOINTS);
    const guarded = rows.filter(({ plane, credential }) => plane === 'control' && (credential === 'person' || credential === 'caller'));
    const reached: string[] = [];
    for (const { method, path, wire } of guarded) {
      const answer = await send(method, path.replace(/\{\w+\}/g, 'x'), person.token, method === 'GET' ? undefined : { bogus: 1 });
      // An error of RFC 6749 has the code in its description.
      const found = wire === 'form' ? /^[A-Z_]+/.exec(answer.json.error_description)?.[0] : code(answer);
      if (found !== 'MFA_REQUIRED') reached.push(`${method} ${path}`);
      else assert.equal(answer.status, 403);
    }
    assert.deepEqual(reached.toSorted(), REACHED.toSorted());
    assert.ok(guarded.length > 60);
  });

  test('enrolling one opens the rest to this session, and every new sign-in requires it', async () => {
    const person = await signUp(planes.controlUrl);
    await requireFactor(person);
    const fresh = await mustCall(planes.controlUrl, 'POST', '/v1/auth/login', { body: { email: person.email, password: person.password } });
    const session = await send('GET', '/v1/auth/session', fresh.token);
    assert.deepEqual([session.status, session.json.mfa_required], [200, true]);
    await stepUp(planes.controlUrl, { token: fresh.token, password: person.password });
    await enrolTotp(planes.controlUrl, fresh);
    assert.equal((await send('GET', '/v1/agents', fresh.token)).status, 200);
    assert.equal(code(await send('GET', '/v1/agents', person.token)), 'MFA_REQUIRED', 'an older session that never proved it');
    assert.equal((await beginSignIn(planes.controlUrl, person)).mfa_required, true);
  });

  test('the last factor stays, if any organization of the person requires it', async () => {
    const [person, elsewhere] = [await signUp(planes.controlUrl), await signUp(planes.controlUrl)];
    await insertMember(database, {
      organizationId: elsewhere.organization.id,
      userId: person.user.id,
      roleId: getBuiltInRole('viewer').id,
    });
    const { factorId } = await stepUpAndEnrol(planes.controlUrl, person);
    await requireFactor(elsewhere);
    const second = await enrolPasskey(planes.controlUrl, person);
    const remove = (id: string) => send('DELETE', `/v1/auth/mfa/factors/${id}`, person.token);
    const both = await Promise.all([remove(factorId), remove(second.factorId)]);
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409]);
    await requireFactor(elsewhere, false);
    const [left] = (await send('GET', '/v1/auth/mfa', person.token)).json.factors;
    assert.equal((await remove(left.id)).status, 200);
  });

  test('API keys are unaffected', async () => {
    const person = await signUp(planes.controlUrl);
    const body = { name: 'key', role_id: getBuiltInRole('viewer').id };
    const { token } = await mustCall(planes.controlUrl, 'POST', '/v1/api-keys', { token: person.token, body });
    await requireFactor(person);
    assert.equal((await send('GET', '/v1/agents', token)).status, 200);
  });

  test('a switch to it carries the proofs over, and requires the missing ones', async () => {
    const [person, strict] = [await signUp(planes.controlUrl), await signUp(planes.controlUrl)];
    await insertMember(database, { organizationId: strict.organization.id, userId: person.user.id, roleId: getBuiltInRole('viewer').id });
    await requireFactor(strict);
    const switched = async () =>
      (await post('/v1/auth/switch', { organization_id: strict.organization.id }, person.token)).json.token as string;
    assert.equal(code(await send('GET', '/v1/agents', await switched())), 'MFA_REQUIRED');
    await stepUpAndEnrol(planes.controlUrl, person);
    assert.equal((await send('GET', '/v1/agents', await switched())).status, 200);
  });

  test('an identity provider of one organization opens no session in another', async () => {
    const [person, other] = [await signUp(planes.controlUrl), await signUp(planes.controlUrl)];
    await insertMember(database, { organizationId: other.organization.id, userId: person.user.id, roleId: getBuiltInRole('viewer').id });
    const rests = (amr: string) => database.query('update sessions set amr = $2 where user_id = $1', [person.user.id, amr]);
    const to = (organization_id: string) => post('/v1/auth/switch', { organization_id }, person.token);
    for (const amr of ['{SSO}', '{SSO_MFA}', '{SSO,TOTP}']) {
      await rests(amr);
      assert.equal(code(await to(other.organization.id)), 'PERMISSION_DENIED', amr);
      assert.equal((await to(person.organization.id)).status, 200, amr);
    }
    await rests('{SSO,PASSWORD,TOTP}');
    const { token } = (await to(other.organization.id)).json;
    assert.deepEqual((await send('GET', '/v1/auth/session', token)).json.amr, ['PASSWORD', 'TOTP']);
  });
});

describe('an administrator who resets the second factors of a member', () => {
  const readMember = async (organizationId: string, userId: string): Promise<string> =>
    (await database.query('select id from members where organization_id = $1 and user_id = $2', [organizationId, userId])).rows[0].id;

  test('removes all of them, ends the sessions, and pending sign-ins', async () => {
    const owner = await signUp(planes.controlUrl);
    const person = await insertPerson(database, owner.organization.id, 'viewer', { steppedUp: true });
    await enrolTotp(planes.controlUrl, person);
    const path = `/v1/members/${await readMember(owner.organization.id, person.id)}/reset-mfa`;
    assert.equal(code(await post(path, {}, owner.token)), 'STEP_UP_REQUIRED');
    await stepUp(planes.controlUrl, owner);
    const answer = await post(path, {}, owner.token);
    assert.deepEqual([answer.status, answer.json], [200, { removed: 1 }]);
    assert.equal((await send('GET', '/v1/auth/session', person.token)).status, 401);
    const { rows } = await database.query('select from recovery_codes where user_id = $1', [person.id]);
    assert.equal(rows.length, 0);
  });

  test('is refused for people with more permissions, also in other organizations, and for themselves', async () => {
    const [owner, elsewhere] = [await signUp(planes.controlUrl), await signUp(planes.controlUrl)];
    const { id: organizationId } = owner.organization;
    const admin = await insertPerson(database, organizationId, 'admin', { steppedUp: true });
    const resetMemberMfa = async (userId: string, token: string) =>
      post(`/v1/members/${await readMember(organizationId, userId)}/reset-mfa`, {}, token);
    assert.equal(code(await resetMemberMfa(owner.user.id, admin.token)), 'PERMISSION_DENIED');
    assert.equal(code(await resetMemberMfa(admin.id, admin.token)), 'CONFLICT');
    const viewer = await insertPerson(database, organizationId, 'viewer');
    assert.equal((await resetMemberMfa(viewer.id, admin.token)).status, 200);
    await insertMember(database, { organizationId: elsewhere.organization.id, userId: viewer.id, roleId: getBuiltInRole('viewer').id });
    assert.equal(code(await resetMemberMfa(viewer.id, admin.token)), 'CONFLICT');
  });
});

describe('wrong codes', () => {
  const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

  test('of a hundred concurrent requests at sign-in and step-up ten are answered; then sign-in refuses a correct one and the session has ended', async () => {
    const person = await signUp(planes.controlUrl);
    const { secret } = await stepUpAndEnrol(planes.controlUrl, person);
    await forgetSteps(database, person.user.id);
    const { mfa_challenge } = await beginSignIn(planes.controlUrl, person);
    const wrong = getWrongCode(secret);
    const guess = (index: number, code: string) =>
      index % 2 === 0 ? post('/v1/auth/mfa/verify', { mfa_challenge, code }) : post('/v1/auth/step-up', { code }, person.token);
    const answers = await Promise.all(times(100).map((index) => guess(index, wrong)));
    assert.equal(answers.filter((answer) => code(answer) === 'INVALID_CREDENTIALS').length, 10);
    assert.deepEqual([(await guess(0, computeTotpCode(secret))).status, (await guess(1, computeTotpCode(secret))).status], [429, 401]);
  });

  test('add up over sign-ins with a correct password, which restores none of them', async () => {
    const person = await signUp(planes.controlUrl);
    const { secret } = await stepUpAndEnrol(planes.controlUrl, person);
    const told: string[] = [];
    for (const _ of times(8)) {
      const begun = await post('/v1/auth/login', { email: person.email, password: person.password });
      if (begun.status !== 200) told.push(`login ${code(begun)}`);
      else told.push(code(await post('/v1/auth/mfa/verify', { mfa_challenge: begun.json.mfa_challenge, code: getWrongCode(secret) })));
    }
    assert.deepEqual(told, [...times(7).map(() => 'INVALID_CREDENTIALS'), 'login RATE_LIMITED']);
  });

  test('of an unauthenticated client, typed as passwords, do not block a step-up with a factor of a signed-in person', async () => {
    const person = await signUp(planes.controlUrl);
    const { secret } = await stepUpAndEnrol(planes.controlUrl, person);
    for (const _ of times(10)) await post('/v1/auth/login', { email: person.email, password: 'wrong' });
    assert.equal((await post('/v1/auth/login', { email: person.email, password: person.password })).status, 429);
    assert.equal((await post('/v1/auth/step-up', { code: computeTotpCode(secret) }, person.token)).status, 200);
  });
});
