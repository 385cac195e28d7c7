import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { buildId } from '@svc/contract/tables/ids.ts';
import { type IdentityProvider, startIdentityProvider } from '@svc/testing/peers/identity-provider.ts';
import { newBrowser } from '@svc/testing/people/browser.ts';
import { call, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import {
  computeTotpCode,
  enrolPasskey,
  enrolTotp,
  forgetSteps,
  getWrongCode,
  stepUpAndEnrol,
  waitForWithinStep,
} from '@svc/testing/people/second-factors.ts';
import { newTenant, type SignedUp, signUp, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { approve, redeem, startTerminal } from '@svc/testing/people/terminal.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { freePort } from '@svc/testing/processes/free-port.ts';
import { insertMember } from '@svc/testing/records/insert-person.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import { proveAddress } from '@svc/testing/records/prove-address.ts';
import type pg from 'pg';

const VIEWER = getBuiltInRole('viewer').id;
const TRUSTED = ['mfa'];

let planes: Planes;
let provider: IdentityProvider;
let database: pg.Client;

before(async () => {
  const port = await freePort();
  provider = await startIdentityProvider({ redirectUris: [`http://127.0.0.1:${port}/v1/auth/sso/callback`] });
  planes = await startPlanes({ gateways: 0, env: { SVC_EGRESS_ALLOW_CIDRS: '127.0.0.1/32', CONTROL_PLANE_PORT: String(port) } });
  database = await planes.database.client();
});
after(async () => {
  await database.end();
  await Promise.all([planes.stop(), provider.close()]);
});
beforeEach(() => database.query('delete from sign_in_failures'));

const as = (token: string) => ({
  send: (method: string, path: string, body?: unknown) =>
    call(planes.controlUrl, method, path, { token, ...(body === undefined ? {} : { body }) }),
  make: (method: string, path: string, body?: unknown) =>
    mustCall(planes.controlUrl, method, path, { token, ...(body === undefined ? {} : { body }) }),
});
const getCode = ({ json, status }: TestResponse) => json?.error?.code ?? status;

type Connected = Tenant & { readonly connectionId: string };

/** Creates an organization with a connection to the provider. */
const newConnected = async (settings: object = {}): Promise<Connected> => {
  const tenant = await newTenant(planes);
  await stepUp(planes.controlUrl, tenant);
  const { issuer, clientId, clientSecret } = provider;
  const { id } = await as(tenant.token).make('POST', '/v1/sso/connections', {
    ...{ name: 'Provider', issuer, client_id: clientId, client_secret: clientSecret, scopes: ['openid'], trusts_mfa: true },
    ...settings,
  });
  return { ...tenant, connectionId: id };
};

/** Makes a person a member of the organization whose subject at its provider is their user id. */
const linkTo = async ({ organization_id, connectionId }: Connected, { user }: Pick<SignedUp, 'user'>): Promise<void> => {
  await insertMember(database, { organizationId: organization_id, userId: user.id, roleId: VIEWER });
  await database.query('insert into sso_identities (organization_id, id, connection_id, subject, user_id) values ($1, $2, $3, $4, $4)', [
    ...[organization_id, buildId('sso_identity', newUlid()), connectionId, user.id],
  ]);
};

/** Signs in at the provider of an organization: a session, or a challenge. */
const signInAt = async ({ connectionId }: Connected, { user }: Pick<SignedUp, 'user'>, amr: readonly string[] = []) => {
  provider.comes(user.id, {}, amr);
  const browser = newBrowser();
  const start = `${planes.controlUrl}/v1/auth/sso/start?connection_id=${connectionId}`;
  const { url } = await browser.follow(start, (next) => next.startsWith(`${planes.controlUrl}/v1/auth/sso/callback`));
  const response = await browser.ask(url);
  const json = JSON.parse(await response.text());
  assert.equal(response.status, 200, JSON.stringify(json));
  return json;
};

const login = ({ email, password }: SignedUp, organization_id: string) =>
  mustCall(planes.controlUrl, 'POST', '/v1/auth/login', { body: { email, password, organization_id } });
const verify = (body: object) => call(planes.controlUrl, 'POST', '/v1/auth/mfa/verify', { body });
const getSession = (token: string) => as(token).make('GET', '/v1/auth/session');
const switchTo = ({ organization_id }: Tenant, token: string) => as(token).send('POST', '/v1/auth/switch', { organization_id });

/** True if a session can be switched into an organization and has a second factor there. */
const reaches = async (tenant: Tenant, token: string): Promise<boolean> => {
  const { status, json } = await switchTo(tenant, token);
  return status === 200 && (await as(json.token).send('GET', '/v1/agents')).status === 200;
};

type Scene = { readonly a: Connected; readonly b: Tenant; readonly person: SignedUp };

/** Creates a user in two organizations: A uses its identity provider, and B requires a second factor. */
const newScene = async (): Promise<Scene> => {
  const [a, b, person] = [await newConnected(), await newTenant(planes), await signUp(planes.controlUrl)];
  await proveAddress(database, person);
  await linkTo(a, person);
  await insertMember(database, { organizationId: b.organization_id, userId: person.user.id, roleId: VIEWER });
  await database.query('update organizations set require_mfa = true where id = $1', [b.organization_id]);
  return { a, b, person };
};

/** Runs work while the person has no password, like someone who has only used a provider. */
const withoutPassword = async <Result>({ user }: SignedUp, work: () => Promise<Result>): Promise<Result> => {
  const { rows } = await database.query('select password_hash from users where id = $1', [user.id]);
  await database.query('update users set password_hash = null where id = $1', [user.id]);
  const result = await work();
  await database.query('update users set password_hash = $2 where id = $1', [user.id, rows[0].password_hash]);
  return result;
};

/** Enrols a TOTP secret in a session that rests on A's provider alone. */
const enrolAtProvider = async ({ a, person }: Pick<Scene, 'a' | 'person'>) => {
  const session = await withoutPassword(person, async () => {
    const { token } = await signInAt(a, person, TRUSTED);
    return { token, ...(await enrolTotp(planes.controlUrl, { token })) };
  });
  return session;
};

const code = async (person: SignedUp, secret: string): Promise<string> => {
  await forgetSteps(database, person.user.id);
  await waitForWithinStep();
  return computeTotpCode(secret);
};

/** Signs in with the password and a code. */
const signInWithCode = async (person: SignedUp, { organization_id }: Tenant, secret: string): Promise<string> => {
  const { mfa_challenge } = await login(person, organization_id);
  const answer = await verify({ mfa_challenge, code: await code(person, secret) });
  assert.equal(answer.status, 200, answer.text);
  return answer.json.token;
};

/** Starts a password sign-in to A that a session approves from another device. */
const approvedBy = async (token: string, { a, person }: Scene): Promise<string> => {
  const { mfa_challenge } = await login(person, a.organization_id);
  const asked = await mustCall(planes.controlUrl, 'POST', '/v1/auth/mfa/challenge', { body: { mfa_challenge, method: 'DEVICE' } });
  const { id, number } = asked.device_approval;
  await as(token).make('POST', `/v1/auth/mfa/device-approvals/${id}/approve`, { number });
  const answer = await verify({ mfa_challenge, device_approval_id: id });
  assert.equal(answer.status, 200, answer.text);
  return answer.json.token;
};

describe('a device approval', () => {
  test('in a provider session is a second factor in that organization only, and in an own session in all', async () => {
    const scene = await newScene();
    const { secret } = await stepUpAndEnrol(planes.controlUrl, scene.person);
    const vouched = await approvedBy((await signInAt(scene.a, scene.person, TRUSTED)).token, scene);
    assert.deepEqual((await getSession(vouched)).amr.toSorted(), ['DEVICE', 'PASSWORD']);
    assert.equal(await reaches(scene.b, vouched), false);
    assert.equal(await reaches(scene.b, await approvedBy(vouched, scene)), false, 'a further approval adds nothing');
    const own = await signInWithCode(scene.person, scene.a, secret);
    assert.equal(await reaches(scene.b, await approvedBy(own, scene)), true);
  });

  test('in a provider session does not outlive the connection', async () => {
    const scene = await newScene();
    await stepUpAndEnrol(planes.controlUrl, scene.person);
    const vouched = await approvedBy((await signInAt(scene.a, scene.person, TRUSTED)).token, scene);
    await as(scene.a.token).make('PATCH', `/v1/sso/connections/${scene.a.connectionId}`, { status: 'DISABLED' });
    assert.equal((await as(vouched).send('GET', '/v1/auth/session')).status, 401);
  });

  test('is inherited by a terminal that the approved session authorizes', async () => {
    const scene = await newScene();
    await stepUpAndEnrol(planes.controlUrl, scene.person);
    const vouched = await approvedBy((await signInAt(scene.a, scene.person, TRUSTED)).token, scene);
    const terminal = await startTerminal(planes.controlUrl);
    assert.equal((await approve(planes.controlUrl, vouched, terminal)).status, 200);
    const { json } = await redeem(planes.controlUrl, terminal);
    assert.equal(await reaches(scene.b, json.token), false);
  });
});

describe('a second factor that was enrolled in a provider session', () => {
  test('is required and counts in that organization only', async () => {
    const scene = await newScene();
    const { secret, recoveryCodes, token } = await enrolAtProvider(scene);
    const { a, b, person } = scene;
    assert.equal((await login(person, a.organization_id)).mfa_required, true);
    const atB = await login(person, b.organization_id);
    assert.equal((await getSession(atB.token)).mfa_required, true, 'B asks for no factor of A, and still requires one');
    assert.deepEqual((await as(atB.token).send('GET', '/v1/agents')).json.error.code, 'MFA_REQUIRED');
    const both = await signInWithCode(person, a, secret);
    assert.equal(await reaches(b, both), false, 'the password counts in B, and the code does not');
    const { mfa_challenge } = await login(person, a.organization_id);
    const byRecovery = await verify({ mfa_challenge, recovery_code: recoveryCodes[0] });
    assert.equal(await reaches(b, byRecovery.json.token), false, 'as does no recovery code that came with it');
    assert.equal(getCode(await switchTo(b, token)), 'PERMISSION_DENIED');
  });

  test('steps up in that organization and in no other', async () => {
    const scene = await newScene();
    const { secret, token } = await enrolAtProvider(scene);
    const stepped = await as(token).send('POST', '/v1/auth/step-up', { code: await code(scene.person, secret) });
    assert.equal(stepped.status, 200, stepped.text);
    const { token: atB } = await login(scene.person, scene.b.organization_id);
    const refused = await as(atB).send('POST', '/v1/auth/step-up', { code: await code(scene.person, secret) });
    assert.equal(getCode(refused), 'VALIDATION_FAILED', 'B knows no factor of the person');
    assert.equal((await as(atB).send('POST', '/v1/auth/step-up', { password: scene.person.password })).status, 200);
  });

  test('is shown elsewhere with its organization, to the own sessions of the person', async () => {
    const scene = await newScene();
    const { factorId, token } = await enrolAtProvider(scene);
    const { token: atB } = await login(scene.person, scene.b.organization_id);
    const factors = async (of: string) =>
      (await as(of).make('GET', '/v1/auth/mfa')).factors.map((each: { id: string; counts_in: string | null }) => [each.id, each.counts_in]);
    assert.deepEqual(await factors(token), [[factorId, scene.a.organization_id]]);
    assert.deepEqual(await factors(atB), [[factorId, scene.a.organization_id]]);
  });

  test('counts in every organization once the person confirms it with their password', async () => {
    const scene = await newScene();
    const { a, b, person } = scene;
    const { factorId, secret, token } = await enrolAtProvider(scene);
    const confirmFactor = (of: string) => as(of).send('POST', `/v1/auth/mfa/factors/${factorId}/confirm`, {});
    assert.equal(getCode(await confirmFactor(token)), 'STEP_UP_REQUIRED');
    await as(token).make('POST', '/v1/auth/step-up', { code: await code(person, secret) });
    assert.equal(getCode(await confirmFactor(token)), 'PERMISSION_DENIED', 'the provider cannot confirm what it vouched for');
    await as(token).make('POST', '/v1/auth/step-up', { code: await code(person, secret), password: person.password });
    const confirmed = await confirmFactor(token);
    assert.deepEqual([confirmed.status, confirmed.json.factor?.counts_in], [200, null], confirmed.text);
    assert.equal((await login(person, b.organization_id)).mfa_required, true);
    assert.equal(await reaches(b, await signInWithCode(person, a, secret)), true);
  });

  test('does not make a further factor own that it and a password enrol', async () => {
    const scene = await newScene();
    const { a, b, person } = scene;
    const { secret: ofProvider } = await enrolAtProvider(scene);
    await stepUpAndEnrol(planes.controlUrl, person);
    // The administrators of the provider know the password and the TOTP secret that they enrolled, not the person's own.
    const token = await signInWithCode(person, a, ofProvider);
    await as(token).make('POST', '/v1/auth/step-up', { code: await code(person, ofProvider) });
    const { factorId, secret } = await enrolTotp(planes.controlUrl, { token }, 'Another');
    assert.equal(getCode(await as(token).send('POST', `/v1/auth/mfa/factors/${factorId}/confirm`, {})), 'PERMISSION_DENIED');
    const { mfa_challenge } = await login(person, b.organization_id);
    assert.equal(getCode(await verify({ mfa_challenge, code: await code(person, secret) })), 'INVALID_CREDENTIALS');
  });

  test('does not replace the last factor that another organization requires', async () => {
    const scene = await newScene();
    await enrolAtProvider(scene);
    const own = await stepUpAndEnrol(planes.controlUrl, scene.person);
    const token = await signInWithCode(scene.person, scene.b, own.secret);
    await as(token).make('POST', '/v1/auth/step-up', { code: await code(scene.person, own.secret) });
    const answer = await as(token).send('DELETE', `/v1/auth/mfa/factors/${own.factorId}`);
    assert.equal(getCode(answer), 'CONFLICT', answer.text);
  });

  test('lets the person enrol their own', async () => {
    const scene = await newScene();
    await enrolAtProvider(scene);
    await database.query(
      `insert into second_factors (user_id, id, kind, name, enrolled_in, sealed_secret, confirmed_at, vouched_by)
       select f.user_id, f.id || n, f.kind, f.name, f.enrolled_in, f.sealed_secret, f.confirmed_at, f.vouched_by
         from second_factors f, generate_series(1, 19) n where f.user_id = $1`,
      [scene.person.user.id],
    );
    const { token } = await login(scene.person, scene.b.organization_id);
    await stepUp(planes.controlUrl, { token, password: scene.person.password });
    await enrolTotp(planes.controlUrl, { token });
  });

  test('does not accept a short password alone elsewhere', async () => {
    const scene = await newScene();
    const { secret } = await enrolAtProvider(scene);
    const token = await signInWithCode(scene.person, scene.a, secret);
    const body = { current_password: scene.person.password, new_password: 'tulip-ox-9' };
    const answer = await as(token).send('POST', '/v1/auth/password', body);
    assert.equal(getCode(answer), 'VALIDATION_FAILED', answer.text);
  });

  test('is removed by an administrator of that organization, with its recovery codes and nothing else', async () => {
    const scene = await newScene();
    const { a, b, person } = scene;
    await enrolAtProvider(scene);
    const { secret, recoveryCodes } = await stepUpAndEnrol(planes.controlUrl, person);
    const { rows } = await database.query('select id from members where organization_id = $1 and user_id = $2', [
      ...[a.organization_id, person.user.id],
    ]);
    const reset = await as(a.token).send('POST', `/v1/members/${rows[0].id}/reset-mfa`, {});
    assert.deepEqual([reset.status, reset.json.removed], [200, 1], reset.text);
    assert.equal(getCode(await as(a.token).send('POST', `/v1/members/${rows[0].id}/reset-mfa`, {})), 'CONFLICT');
    assert.equal(await reaches(b, await signInWithCode(person, b, secret)), true);
    const { mfa_challenge } = await login(person, b.organization_id);
    assert.equal((await verify({ mfa_challenge, recovery_code: recoveryCodes[0] })).status, 200);
  });
});

describe('an own passkey', () => {
  test('next to a provider counts in every organization, and one that the provider vouched for does not', async () => {
    const scene = await newScene();
    const { a, b, person } = scene;
    await stepUp(planes.controlUrl, person);
    const { authenticator } = await enrolPasskey(planes.controlUrl, person);
    const { token } = await signInAt(a, person, TRUSTED);
    assert.equal(getCode(await switchTo(b, token)), 'PERMISSION_DENIED');
    const { public_key } = await as(token).make('POST', '/v1/auth/mfa/passkeys/options', { purpose: 'STEP_UP' });
    await as(token).make('POST', '/v1/auth/step-up', { passkey: authenticator.get(public_key) });
    assert.equal(await reaches(b, token), true);
  });
});

describe('a provider session', () => {
  /** Creates a session from A's provider, stepped up by a factor that A's provider vouched for, of a user with their own factor. */
  const vouchedSession = async () => {
    const scene = await newScene();
    const { token, secret: ofProvider } = await enrolAtProvider(scene);
    const own = await stepUpAndEnrol(planes.controlUrl, scene.person);
    await as(token).make('POST', '/v1/auth/step-up', { code: await code(scene.person, ofProvider) });
    return { ...scene, token, own, ofProvider };
  };

  test('removes no factor of the person that counts elsewhere', async () => {
    const { token, own, b, person } = await vouchedSession();
    assert.equal(getCode(await as(token).send('DELETE', `/v1/auth/mfa/factors/${own.factorId}`)), 'PERMISSION_DENIED');
    assert.equal((await login(person, b.organization_id)).mfa_required, true);
  });

  test('replaces no recovery code that counts elsewhere, and creates none', async () => {
    const { token, own, a, b, person } = await vouchedSession();
    const { recovery_codes } = await as(token).make('POST', '/v1/auth/mfa/recovery-codes', {});
    const begin = async (tenant: Tenant) => (await login(person, tenant.organization_id)).mfa_challenge;
    assert.equal(getCode(await verify({ mfa_challenge: await begin(b), recovery_code: recovery_codes[0] })), 'INVALID_CREDENTIALS');
    assert.equal((await verify({ mfa_challenge: await begin(a), recovery_code: recovery_codes[0] })).status, 200);
    assert.equal((await verify({ mfa_challenge: await begin(b), recovery_code: own.recoveryCodes[0] })).status, 200);
  });

  test('ends no session in another organization, even of a sign-in that reached both', async () => {
    const { token, own, a, b, person } = await vouchedSession();
    const atB = await signInWithCode(person, b, own.secret);
    const switched = (await switchTo(a, atB)).json;
    const [there] = (await as(token).make('GET', '/v1/auth/sessions')).filter(
      ({ amr, current }: { amr: string[]; current: boolean }) => !current && amr.includes('PASSWORD'),
    );
    await as(token).make('DELETE', `/v1/auth/sessions/${there.id}`);
    assert.equal((await as(switched.token).send('GET', '/v1/auth/session')).status, 401);
    assert.equal((await as(atB).send('GET', '/v1/auth/session')).status, 200);
    await as(token).make('DELETE', '/v1/auth/sessions');
    assert.equal((await as(atB).send('GET', '/v1/auth/session')).status, 200);
  });

  test('links an identity in its own organization only, and renames no person', async () => {
    const { token, person } = await vouchedSession();
    const other = await newConnected();
    await insertMember(database, { organizationId: other.organization_id, userId: person.user.id, roleId: VIEWER });
    const linked = await as(token).send('POST', '/v1/auth/identities', { connection_id: other.connectionId });
    assert.equal(getCode(linked), 'NOT_FOUND');
    assert.equal(getCode(await as(token).send('PATCH', '/v1/auth/profile', { name: 'By the provider' })), 'PERMISSION_DENIED');
    assert.equal((await as(token).make('GET', '/v1/auth/organizations')).length, 1);
  });

  test('authorizes terminals for its own organization only', async () => {
    const { token, a, b } = await vouchedSession();
    const terminal = await startTerminal(planes.controlUrl);
    assert.equal((await approve(planes.controlUrl, token, terminal)).status, 200);
    const { json } = await redeem(planes.controlUrl, terminal);
    assert.equal(json.organization.id, a.organization_id);
    assert.equal(getCode(await switchTo(b, json.token)), 'PERMISSION_DENIED');
    assert.equal((await getSession(json.token)).vouched_by, a.organization_id);
  });

  test('joins no other organization with an invitation', async () => {
    const { token, person } = await vouchedSession();
    const c = await newTenant(planes);
    await as(c.token).make('POST', '/v1/members/invitations', { email: person.email, role_id: VIEWER });
    const { rows } = await database.query('select id from invitations where organization_id = $1', [c.organization_id]);
    assert.equal(rows.length, 1);
    const answer = await as(token).send('POST', '/v1/auth/invitations/join', { code: 'svc_inv_none' });
    assert.equal(getCode(answer), 'PERMISSION_DENIED');
  });

  test('whose only second factor a provider vouched for cannot change the password of a person with an own one', async () => {
    const { person, a, ofProvider } = await vouchedSession();
    const token = await signInWithCode(person, a, ofProvider);
    const body = { current_password: person.password, new_password: 'another horse battery staple' };
    assert.equal(getCode(await as(token).send('POST', '/v1/auth/password', body)), 'PERMISSION_DENIED');
  });

  test('does not make its factor count elsewhere by signing in with another organization', async () => {
    const { person, b, ofProvider } = await vouchedSession();
    const { mfa_challenge } = await login(person, b.organization_id);
    assert.equal(getCode(await verify({ mfa_challenge, code: await code(person, ofProvider) })), 'INVALID_CREDENTIALS');
  });
});

describe('wrong codes in sessions and sign-ins of a provider', () => {
  const wrongStepUp = (token: string, secret: string) => as(token).send('POST', '/v1/auth/step-up', { code: getWrongCode(secret) });

  test('lock the step-up of that person in that organization only, regardless of the number of sign-ins', async () => {
    const { a, b, person } = await newScene();
    const { secret } = await stepUpAndEnrol(planes.controlUrl, person);
    const token = await signInWithCode(person, b, secret);
    for (let n = 0; n < 3; n += 1) await wrongStepUp((await signInAt(a, person, TRUSTED)).token, secret);
    const again = await signInAt(a, person, TRUSTED);
    assert.equal(getCode(await as(again.token).send('POST', '/v1/auth/step-up', { code: await code(person, secret) })), 'RATE_LIMITED');
    const stepped = await as(token).send('POST', '/v1/auth/step-up', { code: await code(person, secret) });
    assert.equal(stepped.status, 200, stepped.text);
    const passwords = await newScene();
    const other = await signInAt(passwords.a, passwords.person, TRUSTED);
    for (let n = 0; n < 3; n += 1) await as(other.token).send('POST', '/v1/auth/step-up', { password: 'not this one' });
    const { token: atB } = await login(passwords.person, passwords.b.organization_id);
    assert.equal((await as(atB).send('POST', '/v1/auth/step-up', { password: passwords.person.password })).status, 200);
  });

  test('at its second factor lock no sign-in with the password', async () => {
    const { a, b, person } = await newScene();
    const { secret } = await stepUpAndEnrol(planes.controlUrl, person);
    for (let n = 0; n < 12; n += 1) {
      const { mfa_challenge } = await signInAt(a, person);
      const answer = await verify({ mfa_challenge, code: getWrongCode(secret) });
      assert.equal(getCode(answer), n < 7 ? 'INVALID_CREDENTIALS' : 'RATE_LIMITED', `guess ${n + 1}`);
    }
    await signInWithCode(person, b, secret);
  });

  test('are not forgiven by a factor that the provider vouched for', async () => {
    const { a, b, person } = await newScene();
    const { token, secret: ofProvider } = await enrolAtProvider({ a, person });
    const { secret } = await stepUpAndEnrol(planes.controlUrl, person);
    const right = async () => as(token).send('POST', '/v1/auth/step-up', { code: await code(person, ofProvider) });
    for (let n = 0; n < 2; n += 1) await wrongStepUp(token, secret);
    assert.equal((await right()).status, 200);
    await wrongStepUp(token, secret);
    assert.notEqual((await right()).status, 200);
    const failed = await call(planes.controlUrl, 'POST', '/v1/auth/login', {
      body: { email: person.email, password: 'not this one', organization_id: b.organization_id },
    });
    assert.equal(getCode(failed), 'INVALID_CREDENTIALS');
    const { mfa_challenge } = await signInAt(a, person);
    assert.equal((await verify({ mfa_challenge, code: await code(person, ofProvider) })).status, 200);
    const { rows } = await database.query("select failures from sign_in_failures where key like 'account:%'");
    assert.deepEqual(rows, [{ failures: 1 }], 'guesses at the password stay counted');
  });

  test('of all providers together close a factor after 30, to sign-ins of providers only', async () => {
    const person = await signUp(planes.controlUrl);
    const { secret, token } = { ...(await stepUpAndEnrol(planes.controlUrl, person)), token: person.token };
    for (let n = 0; n < 5; n += 1) {
      const connected = await newConnected();
      await linkTo(connected, person);
      for (let guess = 0; guess < 7; guess += 1) {
        const { mfa_challenge } = await signInAt(connected, person);
        const answer = await verify({ mfa_challenge, code: getWrongCode(secret) });
        assert.equal(getCode(answer), n * 7 + guess < 30 ? 'INVALID_CREDENTIALS' : 'RATE_LIMITED', `guess ${n * 7 + guess + 1}`);
      }
    }
    const connected = await newConnected();
    await linkTo(connected, person);
    const { mfa_challenge } = await signInAt(connected, person);
    assert.equal(getCode(await verify({ mfa_challenge, code: await code(person, secret) })), 'RATE_LIMITED');
    const stepped = await as(token).send('POST', '/v1/auth/step-up', { code: await code(person, secret) });
    assert.equal(stepped.status, 200, stepped.text);
    await signInWithCode(person, { ...connected, organization_id: person.organization.id }, secret);
  });

  test('of terminals lock nothing outside that organization', async () => {
    const { a, b, person } = await newScene();
    const { secret } = await stepUpAndEnrol(planes.controlUrl, person);
    const { token } = await signInAt(a, person, TRUSTED);
    const terminal = await startTerminal(planes.controlUrl);
    for (let n = 0; n < 12; n += 1) await approve(planes.controlUrl, token, { ...terminal, user_code: 'BBBB-BBBB' });
    assert.equal(getCode(await approve(planes.controlUrl, token, terminal)), 'RATE_LIMITED');
    await signInWithCode(person, b, secret);
  });
});
