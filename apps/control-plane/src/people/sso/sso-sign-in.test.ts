import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type Claimed, type IdentityProvider, startIdentityProvider } from '@svc/testing/peers/identity-provider.ts';
import { type NameServer, startNameServer } from '@svc/testing/peers/name-server.ts';
import { type Browser, newBrowser } from '@svc/testing/people/browser.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { enrolPasskey } from '@svc/testing/people/second-factors.ts';
import { newTenant, signUp, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { freePort } from '@svc/testing/processes/free-port.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import { proveAddress } from '@svc/testing/records/prove-address.ts';
import type pg from 'pg';

const VIEWER = getBuiltInRole('viewer').id;
const DEVELOPER = getBuiltInRole('developer').id;
const OWNER = getBuiltInRole('owner').id;

let planes: Planes;
let provider: IdentityProvider;
let names: NameServer;
let owner: pg.Client;
let tenant: Tenant;
let domain: string;
// biome-ignore lint/suspicious/noExplicitAny: body of a response
let connection: any;
let made = 0;

before(async () => {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  [provider, names] = await Promise.all([startIdentityProvider({ redirectUris: [`${base}/v1/auth/sso/callback`] }), startNameServer()]);
  const env = { SVC_EGRESS_ALLOW_CIDRS: '127.0.0.1/32', SVC_EGRESS_NAME_SERVERS: names.address, CONTROL_PLANE_PORT: String(port) };
  planes = await startPlanes({ gateways: 0, env });
  owner = await planes.database.client();
});
after(async () => {
  await owner.end();
  await Promise.all([planes.stop(), provider.close(), names.close()]);
});

const as = (token: string) => ({
  send: (method: string, path: string, body?: unknown) =>
    call(planes.controlUrl, method, path, { token, ...(body === undefined ? {} : { body }) }),
  make: (method: string, path: string, body?: unknown) =>
    mustCall(planes.controlUrl, method, path, { token, ...(body === undefined ? {} : { body }) }),
});

/** Creates an organization with a verified domain and a connection to the provider. */
const connect = async (settings: object = {}) => {
  made += 1;
  tenant = await newTenant(planes);
  await stepUp(planes.controlUrl, tenant);
  domain = `team-${made}.example`;
  const { issuer, clientId, clientSecret } = provider;
  connection = await as(tenant.token).make('POST', '/v1/sso/connections', {
    ...{ name: 'Provider', issuer, client_id: clientId, client_secret: clientSecret, domains: [domain] },
    ...{ jit: true, default_role_id: VIEWER, scopes: ['openid', 'email', 'profile', 'groups'] },
    ...settings,
  });
  const { record } = connection.domains[0];
  names.publish(record.name, record.value);
  const tested = await as(tenant.token).make('POST', `/v1/sso/connections/${connection.id}/test`, {});
  assert.deepEqual([tested.ok, tested.fault, tested.domains], [true, null, [{ domain, verified: true, fault: null }]]);
  connection = tested.connection;
};
beforeEach(() => connect());

const start = (query: string) => `${planes.controlUrl}/v1/auth/sso/start?${query}`;
const startSso = (query: string, browser = newBrowser()) => browser.ask(start(query));
/** Sends the return of a browser to the address that the provider was given. */
const ssoCallback = async (url: string, browser: Browser) => readAnswer(await browser.ask(url));
const listIdentities = (token: string) => as(token).make('GET', '/v1/auth/identities');
const unlinkIdentity = (token: string, id: string) => as(token).send('DELETE', `/v1/auth/identities/${id}`);

const isReturn = (url: string) => url.startsWith(`${planes.controlUrl}/v1/auth/sso/callback`);

/** Goes through a sign-in up to the return from the provider. */
const comeBack = async (subject: string | null, claims: Claimed = {}, browser: Browser = newBrowser()) => {
  provider.comes(subject, claims);
  const { url } = await browser.follow(start(`connection_id=${connection.id}`), isReturn);
  return { url, browser };
};

const readAnswer = async (response: Response) => {
  const text = await response.text();
  return { status: response.status, json: JSON.parse(text), text };
};

const signIn = async (subject: string, claims: Claimed = {}) => {
  const { url, browser } = await comeBack(subject, claims);
  return ssoCallback(url, browser);
};
const person = (name: string): Claimed => ({ email: `${name}@${domain}`, email_verified: true, name: `The ${name}` });

const readEvents = async (type: string) =>
  (
    await owner.query('select data, actor_id, subject_id from audit_events where organization_id = $1 and type = $2 order by id', [
      tenant.organization_id,
      type,
    ])
  ).rows;

describe('a sign-in at a real provider', () => {
  test('admits a new person with a verified address of a verified domain, and later recognizes them', async () => {
    const first = await signIn('sub-1', person('ada'));
    assert.equal(first.status, 200, first.text);
    assert.deepEqual([first.json.user.email, first.json.user.name], [`ada@${domain}`, 'The ada']);
    assert.equal(first.json.organization.id, tenant.organization_id);
    const second = await signIn('sub-1', { email: 'other@elsewhere.example' });
    assert.equal(second.json.user.id, first.json.user.id);
    const session = await as(second.json.token).make('GET', '/v1/auth/session');
    assert.equal(session.user.id, first.json.user.id);
    assert.equal((await readEvents('member.joined')).length, 2);
    assert.equal((await readEvents('user.identity_linked')).length, 1);
    assert.equal((await readEvents('user.login_succeeded')).at(-1)?.actor_id, first.json.user.id);
  });

  test('starts by organization, by domain and by address alike, and is refused for unknown ones', async () => {
    for (const query of [`organization_id=${tenant.organization_id}`, `domain=${domain.toUpperCase()}`, `email=nobody%40${domain}`]) {
      const answer = await startSso(query);
      assert.equal(answer.status, 303, query);
      assert.ok(answer.headers.get('location')?.startsWith(provider.issuer));
    }
    const unknown = [
      'connection_id=sso_7ZZZZZZZZZZZZZZZZZZZZZZZZZ',
      'organization_id=org_7ZZZZZZZZZZZZZZZZZZZZZZZZZ',
      'domain=x.example',
      'email=a',
    ];
    const told = await Promise.all(unknown.map(async (query) => (await readAnswer(await startSso(query))).json));
    assert.equal(new Set(told.map((each) => JSON.stringify({ ...each.error, request_id: '' }))).size, 1);
    assert.equal(told[0].error.code, 'NOT_FOUND');
    assert.equal((await newBrowser().ask(start(''))).status, 400);
    const page = await startSso('domain=x.example', newBrowser({ accept: 'text/html' }));
    assert.match(await page.text(), /<h1>Single sign-on is not set up[^<]+<\/h1>[\s\S]+<a href="\/sign-in">Back to sign-in<\/a>/);
  });

  test('starts with a click, and not from a page of another site', async () => {
    const query = `connection_id=${connection.id}`;
    const from = (site: string, more: Readonly<Record<string, string>> = {}) =>
      startSso(query, newBrowser({ 'sec-fetch-site': site, ...more }));
    for (const site of ['cross-site', 'same-site']) {
      const led = await from(site);
      assert.deepEqual([led.status, led.headers.get('set-cookie'), led.headers.get('location')], [403, null, null], site);
      assert.equal((await from(site, { 'sec-fetch-user': '?1' })).status, 303, `a click at ${site}`);
    }
    for (const site of ['same-origin', 'none']) assert.equal((await from(site)).status, 303, site);
  });

  test('accepts a return once, in the browser that started it, with its own state', async () => {
    const { url, browser } = await comeBack('sub-once', person('once'));
    const stranger = newBrowser();
    assert.equal((await stranger.ask(url)).status, 410, 'a browser that began nothing');
    await stranger.follow(start(`connection_id=${connection.id}`), (next) => next.startsWith(provider.issuer));
    assert.equal((await stranger.ask(url)).status, 410, 'a browser that began another');
    for (const changed of [url.replace(/state=[^&]+/, 'state=other'), url.replace(/state=[^&]+&?/, ''), `${url}&state=twice`])
      assert.equal((await browser.ask(changed)).status, 410, changed);
    const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await browser.ask(url, { headers: {} })).status));
    assert.deepEqual(statuses.toSorted(), [200, ...Array.from({ length: 7 }, () => 410)], 'of many at once one is let in');
  });

  test('ends in a browser with a session in a cookie, at the requested path', async () => {
    const browser = newBrowser({ accept: 'text/html' });
    provider.comes('sub-html', person('html'));
    const { url } = await browser.follow(`${start(`connection_id=${connection.id}`)}&return_to=%2Fagents%3Fx%3D1`, isReturn);
    const answer = await browser.ask(url);
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/agents?x=1']);
    assert.match(answer.headers.getSetCookie().join(), /svc-session=svc_ses_[^;]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax/);
    const session = await browser.ask(`${planes.controlUrl}/v1/auth/session`);
    assert.equal((await readAnswer(session)).json.user.email, `html@${domain}`);
    const refused = await browser.ask(url);
    assert.match(await refused.text(), /^<!doctype html>/, 'what goes wrong is a page too');
  });

  test('expires after ten minutes', async () => {
    const { url, browser } = await comeBack('sub-late', person('late'));
    await owner.query("update sso_attempts set expires_at = now() - interval '1 second'");
    assert.equal((await browser.ask(url)).status, 410);
  });

  test('is refused if the provider refuses, for a foreign code, and for another issuer', async () => {
    const refused = await comeBack(null);
    const told = await readAnswer(await refused.browser.ask(refused.url));
    assert.deepEqual([told.status, told.json.error.code], [403, 'PERMISSION_DENIED']);
    const forged = await comeBack('sub-f', person('f'));
    const answer = await readAnswer(await forged.browser.ask(forged.url.replace(/code=[^&]+/, 'code=forged')));
    assert.deepEqual([answer.status, answer.json.error.code], [403, 'PERMISSION_DENIED'], answer.text);
    for (const change of [
      (url: string) => url.replace(/iss=[^&]+/, 'iss=https%3A%2F%2Fevil.example'),
      (url: string) => url.replace(/&?iss=[^&]+/, ''),
    ]) {
      const { url, browser } = await comeBack('sub-i', person('i'));
      const mixed = await readAnswer(await browser.ask(change(url)));
      assert.deepEqual([mixed.status, mixed.json.error.code], [401, 'INVALID_CREDENTIALS'], mixed.text);
    }
  });

  test('is refused by an address alone: unverified, of another domain, or taken', async () => {
    const elsewhere = await signUp(planes.controlUrl);
    const member = await insertPerson(owner, tenant.organization_id, 'viewer');
    await owner.query('update users set email = $2 where id = $1', [member.id, `member@${domain}`]);
    await owner.query('update users set email = $2 where id = $1', [elsewhere.user.id, `other@${domain}`]);
    await proveAddress(owner, { email: `other@${domain}` });
    const refused: readonly Claimed[] = [
      {},
      { email: `new@${domain}` },
      { email: `new@${domain}`, email_verified: false },
      { email: 'new@elsewhere.example', email_verified: true },
      { email: `new@sub.${domain}`, email_verified: true },
      { email: `a@evil.example@${domain}`, email_verified: true },
      { email: `member@${domain}`, email_verified: true },
      { email: `other@${domain}`, email_verified: true },
    ];
    for (const [index, claims] of refused.entries()) {
      const answer = await signIn(`sub-r${index}`, claims);
      assert.deepEqual([answer.status, answer.json.error?.code], [403, 'PERMISSION_DENIED'], JSON.stringify(claims));
    }
    assert.equal((await readEvents('user.identity_linked')).length, 0);
    assert.ok((await readEvents('user.login_failed')).length >= 7);
  });

  test('makes a member of a new person whose address an attacker signed up with, and nothing of the attacker remains', async () => {
    const stranger = await signUp(planes.controlUrl);
    const email = `squatted@${domain}`;
    await owner.query('update users set email = $2 where id = $1', [stranger.user.id, email]);
    assert.equal((await signIn('sub-squatted', { email, email_verified: false })).status, 403);
    const answer = await signIn('sub-squatted', { email, email_verified: true });
    assert.deepEqual([answer.json.user?.id, answer.json.organization?.id], [stranger.user.id, tenant.organization_id], answer.text);
    const { send } = as(stranger.token);
    assert.equal((await send('GET', '/v1/auth/session')).status, 401);
    const { rows } = await owner.query('select password_hash, email_verified_at is not null as proved from users where id = $1', [
      stranger.user.id,
    ]);
    assert.deepEqual(rows, [{ password_hash: null, proved: true }]);
  });

  test('assigns the role of its groups at each sign-in, and never that of an owner', async () => {
    const { send, make } = as(tenant.token);
    await make('PATCH', `/v1/sso/connections/${connection.id}`, {
      ...{ role_claim: 'groups', default_role_id: null },
      role_mapping: [
        { value: 'builders', role_id: DEVELOPER },
        { value: 'readers', role_id: VIEWER },
      ],
    });
    const readRole = async (groups: unknown) => {
      const answer = await signIn('sub-role', { ...person('role'), groups });
      if (answer.status !== 200) return answer.json.error.code;
      const [row] = (
        await owner.query('select role_id from members where organization_id = $1 and user_id = $2', [
          tenant.organization_id,
          answer.json.user.id,
        ])
      ).rows;
      return row.role_id;
    };
    assert.equal(await readRole(['nobody']), 'PERMISSION_DENIED');
    assert.equal(await readRole(['readers', 'builders']), DEVELOPER);
    assert.equal(await readRole(['readers']), VIEWER);
    assert.equal(await readRole([]), 'PERMISSION_DENIED', 'what was given is not kept where nothing gives it any more');
    assert.equal((await readEvents('member.role_changed')).length, 1);
    const owned = await send('PATCH', `/v1/sso/connections/${connection.id}`, { default_role_id: OWNER });
    assert.deepEqual([owned.status, owned.json.error.code], [400, 'VALIDATION_FAILED']);
  });

  test('reaches its organization alone, and ends with the connection', async () => {
    const { json: session } = await signIn('sub-there', person('there'));
    const other = await newTenant(planes);
    await owner.query('insert into members (organization_id, id, user_id, role_id) values ($1, $2, $3, $4)', [
      other.organization_id,
      'mem_00000000000000000000000001',
      session.user.id,
      VIEWER,
    ]);
    const switched = await as(session.token).send('POST', '/v1/auth/switch', { organization_id: other.organization_id });
    assert.equal(switched.json.error?.code, 'PERMISSION_DENIED');
    const elsewhere = 'ses_00000000000000000000000001';
    await owner.query(
      "insert into sessions (organization_id, id, user_id, token_hash, expires_at) values ($1, $2, $3, 'elsewhere'::bytea, now() + interval '1 hour')",
      [...[other.organization_id, elsewhere, session.user.id]],
    );
    for (const path of ['/v1/auth/organizations', '/v1/auth/sessions'])
      assert.ok(!JSON.stringify(await as(session.token).make('GET', path)).includes(other.organization_id), path);
    assert.equal((await as(session.token).send('DELETE', `/v1/auth/sessions/${elsewhere}`)).status, 404);
    const renamed = await as(session.token).send('PATCH', '/v1/auth/profile', { name: 'By the provider' });
    assert.equal(renamed.json.error?.code, 'PERMISSION_DENIED', 'the same person is in another organization');
    const { json: second } = await signIn('sub-there', person('there'));
    assert.equal((await as(second.token).send('DELETE', '/v1/auth/sessions')).status, 200);
    assert.equal((await as(session.token).send('GET', '/v1/auth/session')).status, 401);
    const { rows: kept } = await owner.query(
      `select s.revoked_at, s.epoch = u.session_epoch + m.session_epoch as is_live from sessions s join users u on u.id = s.user_id
         join members m on m.organization_id = s.organization_id and m.user_id = s.user_id where s.id = $1`,
      [elsewhere],
    );
    assert.deepEqual(kept, [{ revoked_at: null, is_live: true }], 'what the person has elsewhere goes on');
    session.token = second.token;
    const here = await as(session.token).make('POST', '/v1/auth/switch', { organization_id: tenant.organization_id });
    const status = async (token: string) => (await as(token).send('GET', '/v1/auth/session')).status;
    assert.deepEqual([await status(session.token), await status(here.token)], [200, 200]);
    await as(tenant.token).make('PATCH', `/v1/sso/connections/${connection.id}`, { status: 'DISABLED' });
    assert.deepEqual([await status(session.token), await status(here.token)], [401, 401]);
    assert.equal((await newBrowser().ask(start(`connection_id=${connection.id}`))).status, 404);
  });

  test('enrols a passkey that is a second factor there, and cannot start a sign-in or open another organization', async () => {
    const { json: session } = await signIn('sub-key', person('key'));
    const other = await newTenant(planes);
    await owner.query('insert into members (organization_id, id, user_id, role_id) values ($1, $2, $3, $4)', [
      ...[other.organization_id, `mem_${newUlid()}`, session.user.id, VIEWER],
    ]);
    const { send, make } = as(session.token);
    const { authenticator } = await enrolPasskey(planes.controlUrl, session);
    const passkeyFor = async (path: string, body: object) => authenticator.get((await make('POST', path, body)).public_key);
    for (const organization_id of [tenant.organization_id, other.organization_id]) {
      const passkey = await passkeyFor('/v1/auth/passkey/start', {});
      const verified = await call(planes.controlUrl, 'POST', '/v1/auth/passkey/verify', { body: { passkey, organization_id } });
      assert.deepEqual([verified.status, verified.json.error?.code], [403, 'PERMISSION_DENIED'], verified.text);
    }
    const stepped = await send('POST', '/v1/auth/step-up', {
      passkey: await passkeyFor('/v1/auth/mfa/passkeys/options', { purpose: 'STEP_UP' }),
    });
    assert.equal(stepped.status, 200, stepped.text);
    assert.deepEqual((await make('GET', '/v1/auth/session')).amr.toSorted(), ['PASSKEY', 'SSO']);
    const switched = await send('POST', '/v1/auth/switch', { organization_id: other.organization_id });
    assert.equal(switched.json.error?.code, 'PERMISSION_DENIED');
    assert.equal((await make('GET', '/v1/auth/organizations')).length, 1);
    // The same for a user who proves their own password, set through their mailbox.
    await owner.query("update sessions set amr = amr || '{PASSWORD}' where user_id = $1", [session.user.id]);
    assert.equal((await make('GET', '/v1/auth/organizations')).length, 2);
  });

  test('the identity of a removed person does not admit them again', async () => {
    const { json: session } = await signIn('sub-gone', person('gone'));
    await owner.query('delete from members where organization_id = $1 and user_id = $2', [tenant.organization_id, session.user.id]);
    const again = await signIn('sub-gone', person('gone'));
    assert.deepEqual([again.status, again.json.error.code], [403, 'PERMISSION_DENIED']);
  });
});

describe('a domain with enforced single sign-on', () => {
  const login = (who: { email: string; password: string }) => call(planes.controlUrl, 'POST', '/v1/auth/login', { body: who });
  const enforce = (body: object = {}) =>
    as(tenant.token).send('PATCH', `/v1/sso/connections/${connection.id}`, { enforce: true, break_glass_user_id: tenant.user.id, ...body });

  test('refuses every other sign-in of its members, after their proof, with the address to use, except for one owner', async () => {
    const [member, second] = [await signUp(planes.controlUrl), await signUp(planes.controlUrl)];
    for (const { user, role } of [
      { user: member.user, role: VIEWER },
      { user: second.user, role: OWNER },
    ])
      await owner.query('update members set organization_id = $2, role_id = $3 where user_id = $1', [
        ...[user.id, tenant.organization_id, role],
      ]);
    for (const { user, name } of [
      { user: member.user, name: 'member' },
      { user: second.user, name: 'second' },
      { user: tenant.user, name: 'owner' },
    ])
      await owner.query('update users set email = $2 where id = $1', [user.id, `${name}@${domain}`]);
    const as1 = { email: `member@${domain}`, password: member.password };
    const boss = { email: `owner@${domain}`, password: tenant.password };
    const open = {
      before: (await login(as1)).json,
      boss: (await login(boss)).json,
      provider: (await signIn('sub-own', person('own'))).json,
    };
    const other = await insertPerson(owner, tenant.organization_id, 'viewer');
    const status = async ({ token }: { token: string }) => (await as(token).send('GET', '/v1/auth/session')).status;
    assert.equal(await status(open.before), 200, 'before it is enforced');
    assert.equal((await enforce()).status, 200);
    assert.equal(await status(open.before), 401, 'what rests on a password alone ends at once');
    for (const stays of [open.boss, open.provider, other]) assert.equal(await status(stays), 200);
    assert.equal((await as(open.provider.token).send('PATCH', '/v1/auth/profile', { name: 'Own' })).status, 200, 'of nowhere else');
    const refused = await login(as1);
    assert.deepEqual([refused.status, refused.json.error.code], [403, 'PERMISSION_DENIED']);
    const { sso_url } = refused.json.error.details;
    assert.equal((await newBrowser().ask(`${planes.controlUrl}${sso_url}`)).status, 303);
    assert.equal((await login({ ...as1, password: 'not this one' })).json.error.code, 'INVALID_CREDENTIALS');
    assert.equal((await login(boss)).status, 200);
    assert.equal((await login({ email: `second@${domain}`, password: second.password })).status, 403, 'an owner who is not named');
    await owner.query('update members set role_id = $2 where user_id = $1', [tenant.user.id, VIEWER]);
    assert.equal((await login(boss)).status, 403, 'who is no owner any more is not exempt');
    await owner.query('update sso_domains set verified_at = null where domain = $1', [domain]);
    assert.equal((await login(as1)).status, 200, 'a domain that is not verified is nobody’s to enforce anything for');
  });

  test('does not apply to another organization, and cannot be bypassed by switching from one', async () => {
    const elsewhere = await newTenant(planes);
    await owner.query('update users set email = $2 where id = $1', [elsewhere.user.id, `both@${domain}`]);
    await owner.query('insert into members (organization_id, id, user_id, role_id) values ($1, $2, $3, $4)', [
      ...[tenant.organization_id, 'mem_00000000000000000000000002', elsewhere.user.id, VIEWER],
    ]);
    await enforce();
    const session = await login({ email: `both@${domain}`, password: elsewhere.password });
    assert.equal(session.json.organization.id, elsewhere.organization_id);
    const switched = await as(session.json.token).send('POST', '/v1/auth/switch', { organization_id: tenant.organization_id });
    assert.deepEqual([switched.status, switched.json.error.details.sso_url !== undefined], [403, true]);
  });

  test('must be verified, and requires an exempt owner', async () => {
    const readFault = async (body: object) => (await enforce(body)).json.error?.details.faults[0].pointer;
    assert.equal(await readFault({ break_glass_user_id: null }), '/break_glass_user_id');
    const viewer = await insertPerson(owner, tenant.organization_id, 'viewer');
    assert.equal(await readFault({ break_glass_user_id: viewer.id }), '/break_glass_user_id');
    assert.equal(await readFault({ domains: ['unproved.example'] }), '/enforce');
    assert.equal(await readFault({}), undefined);
  });
});

describe('an identity', () => {
  const linkIdentity = async (browser: Browser, token: string) => {
    const answer = await browser.ask(`${planes.controlUrl}/v1/auth/identities`, {
      ...{ method: 'POST', body: JSON.stringify({ connection_id: connection.id }) },
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
    return readAnswer(answer);
  };

  test('is linked by a signed-in person after a step-up, in one browser, and unlinked while another sign-in remains', async () => {
    const browser = newBrowser();
    const fresh = await mustCall(planes.controlUrl, 'POST', '/v1/auth/login', { body: { email: tenant.email, password: tenant.password } });
    assert.equal((await linkIdentity(browser, fresh.token)).json.error.code, 'STEP_UP_REQUIRED');
    const { json } = await linkIdentity(browser, tenant.token);
    provider.comes('sub-owner', { email: 'anything@elsewhere.example' });
    const { url } = await browser.follow(json.authorization_url, isReturn);
    assert.equal((await newBrowser().ask(url)).status, 410, 'somebody else who was given the address');
    const linked = await readAnswer(await browser.ask(url));
    assert.deepEqual([linked.status, linked.json.subject], [200, 'sub-owner'], linked.text);
    const signedIn = await signIn('sub-owner');
    assert.equal(signedIn.json.user.id, tenant.user.id);
    const opened = await as(signedIn.json.token).make('POST', '/v1/auth/switch', { organization_id: tenant.organization_id });
    const listed = await listIdentities(tenant.token);
    assert.deepEqual(listed, [linked.json]);
    assert.equal((await unlinkIdentity(tenant.token, linked.json.id)).status, 200);
    for (const { token } of [signedIn.json, opened])
      assert.equal((await as(token).send('GET', '/v1/auth/session')).status, 401, 'what it opened ends with it');
    assert.equal((await readEvents('user.identity_unlinked')).length, 1);
    const page = newBrowser({ accept: 'text/html' });
    const again = await linkIdentity(page, tenant.token);
    provider.comes('sub-owner');
    const returned = await page.follow(again.json.authorization_url, isReturn);
    const answer = await page.ask(returned.url);
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/me/identities'], 'to where identities are listed');
    const [left] = await listIdentities(tenant.token);
    assert.equal((await unlinkIdentity(tenant.token, left.id)).status, 200);
  });

  test('that is unlinked ends what was switched from its session, also after that was evicted', async () => {
    const browser = newBrowser();
    const { json } = await linkIdentity(browser, tenant.token);
    provider.comes('sub-many');
    const { url } = await browser.follow(json.authorization_url, isReturn);
    const linked = await readAnswer(await browser.ask(url));
    const { token } = (await signIn('sub-many')).json;
    const opened = await as(token).make('POST', '/v1/auth/switch', { organization_id: tenant.organization_id });
    await owner.query("update sessions set last_used_at = now() - interval '59 minutes' where user_id = $1 and sign_in_id is null", [
      tenant.user.id,
    ]);
    await owner.query(
      `insert into sessions (organization_id, id, user_id, token_hash, expires_at, epoch, amr, created_at, last_used_at)
       select s.organization_id, s.id || n, s.user_id, sha256((s.id || n)::bytea), s.expires_at, s.epoch, s.amr, now(), now()
         from sessions s, generate_series(1, $2::int) n where s.user_id = $1 and s.sign_in_id is not null`,
      [tenant.user.id, LIMITS.ownSessions.perOrganizationMax - 2],
    );
    const again = { email: tenant.email, password: tenant.password };
    const fresh = await mustCall(planes.controlUrl, 'POST', '/v1/auth/login', { body: again });
    const statuses = () =>
      Promise.all([token, opened.token, fresh.token].map(async (each) => (await as(each).send('GET', '/v1/auth/session')).status));
    assert.deepEqual(await statuses(), [401, 200, 200]);
    assert.equal((await unlinkIdentity(fresh.token, linked.json.id)).status, 200);
    assert.deepEqual(await statuses(), [401, 401, 200]);
  });

  test('is not linked if the session ended meanwhile', async () => {
    const browser = newBrowser();
    const body = { email: tenant.email, password: tenant.password };
    const taken = await mustCall(planes.controlUrl, 'POST', '/v1/auth/login', { body });
    await stepUp(planes.controlUrl, { ...tenant, token: taken.token });
    const { json } = await linkIdentity(browser, taken.token);
    await as(tenant.token).make('DELETE', '/v1/auth/sessions');
    provider.comes('sub-thief');
    const { url } = await browser.follow(json.authorization_url, isReturn);
    assert.equal((await readAnswer(await browser.ask(url))).json.error?.code, 'PERMISSION_DENIED');
    assert.deepEqual(await listIdentities(tenant.token), []);
  });

  test('that is the only sign-in is kept, and that of another person is unknown', async () => {
    const { json: session } = await signIn('sub-only', person('only'));
    const [identity] = await listIdentities(session.token);
    assert.equal((await unlinkIdentity(session.token, identity.id)).json.error.code, 'CONFLICT');
    assert.equal((await unlinkIdentity(tenant.token, identity.id)).json.error.code, 'NOT_FOUND');
  });

  test('of one person cannot be linked to another', async () => {
    await signIn('sub-mine', person('mine'));
    const browser = newBrowser();
    const { json } = await linkIdentity(browser, tenant.token);
    provider.comes('sub-mine');
    const { url } = await browser.follow(json.authorization_url, isReturn);
    assert.equal((await readAnswer(await browser.ask(url))).json.error.code, 'PERMISSION_DENIED');
  });
});

test('that the directory knows and did not make a member is refused by every provider, also if the account is unproved', async () => {
  const email = `late@${domain}`;
  await signUp(planes.controlUrl, { email });
  const { token } = await as(tenant.token).make('POST', '/v1/sso/scim-token', {});
  const scim = (method: string, path: string, body: object) =>
    mustCall(planes.controlUrl, method, `/scim/v2${path}`, {
      ...{ token, headers: { 'content-type': 'application/scim+json' }, raw: JSON.stringify(body) },
    });
  const { id, active } = await scim('POST', '/Users', { userName: email, active: false });
  assert.equal(active, false);
  const refused = await signIn('sub-late', person('late'));
  assert.deepEqual([refused.status, refused.json.error?.code], [403, 'PERMISSION_DENIED'], refused.text);
  assert.equal((await scim('PUT', `/Users/${id}`, { userName: email, active: true })).active, true);
  assert.equal((await signIn('sub-late', person('late'))).status, 200);
});
