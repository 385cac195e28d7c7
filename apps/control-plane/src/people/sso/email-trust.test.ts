import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { getMetadata, type LyingProvider, startLyingProvider } from '@svc/testing/peers/lying-provider.ts';
import { type NameServer, startNameServer } from '@svc/testing/peers/name-server.ts';
import { newBrowser } from '@svc/testing/people/browser.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { newTenant, signUp, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import { proveAddress } from '@svc/testing/records/prove-address.ts';
import type pg from 'pg';

type Claims = Readonly<Record<string, unknown>>;

const VIEWER = getBuiltInRole('viewer').id;

let planes: Planes;
let names: NameServer;
let provider: LyingProvider;
let owner: pg.Client;
let tenant: Tenant;
let domain: string;
// biome-ignore lint/suspicious/noExplicitAny: as the service answers it
let connection: any;

before(async () => {
  [provider, names] = await Promise.all([startLyingProvider(), startNameServer()]);
  const env = { SVC_EGRESS_ALLOW_CIDRS: '127.0.0.1/32', SVC_EGRESS_NAME_SERVERS: names.address };
  planes = await startPlanes({ gateways: 0, env });
  owner = await planes.database.client();
  provider.answer('/.well-known/openid-configuration', {
    ...getMetadata(provider.issuer),
    userinfo_endpoint: `${provider.issuer}/userinfo`,
  });
});
after(async () => {
  await owner.end();
  await Promise.all([planes.stop(), provider.close(), names.close()]);
});

const send = (method: string, path: string, body?: object) =>
  call(planes.controlUrl, method, path, { token: tenant.token, ...(body ? { body } : {}) });
const make = (method: string, path: string, body?: object) =>
  mustCall(planes.controlUrl, method, path, { token: tenant.token, ...(body ? { body } : {}) });

/** Creates an organization with a verified domain and a connection with these settings. */
const connect = async (settings: object = {}) => {
  tenant = await newTenant(planes);
  await stepUp(planes.controlUrl, tenant);
  domain = `${newUlid().toLowerCase()}.example`;
  connection = await make('POST', '/v1/sso/connections', {
    ...{ name: 'Provider', issuer: provider.issuer, client_id: 'us', client_secret: 'hush', domains: [domain] },
    ...{ jit: true, default_role_id: VIEWER, ...settings },
  });
  const { record } = connection.domains[0];
  names.publish(record.name, record.value);
  ({ connection } = await make('POST', `/v1/sso/connections/${connection.id}/test`, {}));
  assert.notEqual(connection.domains[0].verified_at, null);
};

/** Signs in with these claims in the ID token and in userinfo. */
const signIn = async (sub: string, idToken: Claims, userinfo: Claims = {}) => {
  const browser = newBrowser();
  const begun = await browser.ask(`${planes.controlUrl}/v1/auth/sso/start?connection_id=${connection.id}`);
  const asked = new URL(begun.headers.get('location') ?? '').searchParams;
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: provider.issuer, aud: 'us', sub, nonce: asked.get('nonce'), iat: now, exp: now + 60, ...idToken };
  provider.answer('/token', { access_token: 'at', token_type: 'Bearer', id_token: provider.idToken(claims) });
  provider.answer('/userinfo', { sub, ...userinfo });
  const answer = await browser.ask(`${asked.get('redirect_uri')}?code=c&state=${asked.get('state')}`);
  const text = await answer.text();
  return { status: answer.status, json: JSON.parse(text), text };
};

const lastFailure = async () =>
  (
    await owner.query(
      "select data::jsonb - 'record_digests' as data from audit_events where organization_id = $1 and type = 'user.login_failed' order by id desc limit 1",
      [tenant.organization_id],
    )
  ).rows[0]?.data;

const assertRefused = async (answer: { status: number; text: string }, reason: string, what = reason) => {
  assert.equal(answer.status, 403, `${what}: ${answer.text}`);
  assert.equal((await lastFailure())?.reason, reason, what);
};

const MISSING = 'EMAIL_VERIFIED_MISSING';
const FALSE = 'EMAIL_VERIFIED_FALSE';
const FOREIGN = 'EMAIL_DOMAIN_NOT_VERIFIED';

describe('a connection that trusts the claim email_verified, the default,', () => {
  beforeEach(() => connect());

  test('signs in a new person whose address is verified, as a boolean or as text (Cognito)', async () => {
    assert.equal(connection.email_trust, 'CLAIM');
    for (const [index, email_verified] of [true, 'true', 'True'].entries()) {
      const email = `New-${index}@${domain}`;
      const { status, json, text } = await signIn(email, { email, email_verified });
      assert.deepEqual([status, json.user?.email], [200, email.toLowerCase()], text);
    }
  });

  test('refuses any other, and records why', async () => {
    const email = `new@${domain}`;
    const cases: readonly (readonly [string, Claims])[] = [
      [MISSING, { email }],
      [MISSING, { email, email_verified: null }],
      [FALSE, { email, email_verified: false }],
      [FALSE, { email, email_verified: 'false' }],
      [FALSE, { email, email_verified: 'yes' }],
      [FALSE, { email, email_verified: 1 }],
      [FALSE, { email, email_verified: [true] }],
      [FOREIGN, { email: 'new@elsewhere.example', email_verified: true }],
      [FOREIGN, { email: `new@sub.${domain}`, email_verified: true }],
      ['EMAIL_MISSING', { email_verified: true }],
      ['EMAIL_MISSING', { email: 'no address', email_verified: true }],
      ['EMAIL_MISSING', { email: [email], email_verified: true }],
      ['EMAIL_MISSING', { email: `a\0b@${domain}`, email_verified: true }],
    ];
    for (const [index, [reason, claims]] of cases.entries())
      await assertRefused(await signIn(`sub-${index}`, claims), reason, JSON.stringify(claims));
    const { rowCount } = await owner.query('select from members where organization_id = $1', [tenant.organization_id]);
    assert.equal(rowCount, 1);
  });

  test('reads the address and email_verified from one document, never from two', async () => {
    const [mine, other] = [`mine@${domain}`, `other@${domain}`];
    const verified = (email: string) => ({ email, email_verified: true });
    const refused: readonly (readonly [string, Claims, Claims])[] = [
      [MISSING, { email: mine }, { email_verified: true }],
      [MISSING, { email: mine }, verified(other)],
      [MISSING, { email_verified: true }, { email: mine }],
      [FALSE, { email_verified: true }, { email: mine, email_verified: false }],
      [FALSE, { email: mine, email_verified: false }, verified(mine)],
      [FALSE, { email: mine }, { email: mine, email_verified: 'false' }],
    ];
    for (const [index, [reason, idToken, userinfo]] of refused.entries())
      await assertRefused(await signIn(`mixed-${index}`, idToken, userinfo), reason, JSON.stringify([idToken, userinfo]));
    const accepted: readonly (readonly [string, Claims, Claims])[] = [
      [`a@${domain}`, {}, verified(`a@${domain}`)],
      [`b@${domain}`, verified(`b@${domain}`), verified(other)],
      [`c@${domain}`, { email: `C@${domain}` }, verified(`c@${domain}`)],
      [`d@${domain}`, { email_verified: false }, verified(`d@${domain}`)],
    ];
    for (const [email, idToken, userinfo] of accepted) {
      const { status, json, text } = await signIn(email, idToken, userinfo);
      assert.deepEqual([status, json.user?.email], [200, email], text);
    }
  });
});

describe('a connection that trusts its verified domains (Entra ID)', () => {
  beforeEach(() => connect({ email_trust: 'VERIFIED_DOMAINS' }));

  test('signs in a new person without the claim, and identifies them by their subject from then on', async () => {
    assert.equal(connection.email_trust, 'VERIFIED_DOMAINS');
    const email = `new@${domain}`;
    const first = await signIn('sub-new', { email });
    assert.deepEqual([first.status, first.json.user?.email], [200, email], first.text);
    const again = await signIn('sub-new', { email: 'renamed@elsewhere.example' });
    assert.equal(again.json.user?.id, first.json.user.id);
    await assertRefused(await signIn('sub-other', { email }), 'ACCOUNT_EXISTS');
  });

  test('still refuses false claims and foreign domains', async () => {
    const email = `new@${domain}`;
    await assertRefused(await signIn('s1', { email, email_verified: false }), FALSE);
    await assertRefused(await signIn('s2', { email, email_verified: 'false' }), FALSE);
    await assertRefused(await signIn('s3', { email: 'x@elsewhere.example', email_verified: true }), FOREIGN);
    await assertRefused(await signIn('s4', {}), 'EMAIL_MISSING');
    await owner.query('update sso_domains set verified_at = null where domain = $1', [domain]);
    await assertRefused(await signIn('s5', { email }), FOREIGN);
  });

  test('signs in a person that the directory created, once', async () => {
    const email = `made@${domain}`;
    const { token } = await make('POST', '/v1/sso/scim-token', {});
    const made = await mustCall(planes.controlUrl, 'POST', '/scim/v2/Users', { token, body: { userName: email } });
    const { status, json, text } = await signIn('sub-made', { email });
    assert.deepEqual([status, json.user?.email], [200, email], text);
    const { rows } = await owner.query('select user_id from members where id = $1', [made.id]);
    assert.equal(json.user.id, rows[0].user_id);
    await assertRefused(await signIn('sub-made-2', { email }), 'ACCOUNT_EXISTS');
  });

  test('links to no person with a password or another organization; they link the identity after signing in', async () => {
    const { token } = await make('POST', '/v1/sso/scim-token', {});
    const provision = async (name: string) => {
      const email = `${name}@${domain}`;
      const { id } = await mustCall(planes.controlUrl, 'POST', '/scim/v2/Users', { token, body: { userName: email } });
      return { email, id: (await owner.query('select user_id from members where id = $1', [id])).rows[0].user_id as string };
    };
    const withPassword = await provision('password');
    await owner.query("update users set password_hash = 'x' where id = $1", [withPassword.id]);
    await assertRefused(await signIn('sub-password', { email: withPassword.email }), 'ACCOUNT_EXISTS');
    const elsewhere = await provision('elsewhere');
    const other = await newTenant(planes);
    await owner.query('insert into members (organization_id, id, user_id, role_id) values ($1, $2, $3, $4)', [
      ...[other.organization_id, `mem_${newUlid()}`, elsewhere.id, VIEWER],
    ]);
    await assertRefused(await signIn('sub-elsewhere', { email: elsewhere.email }), 'ACCOUNT_EXISTS');
    const signedUp = await signUp(planes.controlUrl);
    for (const [isProved, name] of [
      [false, 'unproved'],
      [true, 'proved'],
    ] as const) {
      const email = `${name}@${domain}`;
      await owner.query('update users set email = $2 where id = $1', [signedUp.user.id, email]);
      if (isProved) await proveAddress(owner, { email });
      await assertRefused(await signIn(`sub-${name}`, { email }), 'ACCOUNT_EXISTS', name);
    }
    const { rowCount } = await owner.query('select from sso_identities where organization_id = $1', [tenant.organization_id]);
    assert.equal(rowCount, 0);
  });
});

describe('email_trust', () => {
  const readPointer = async (answer: ReturnType<typeof send>) => {
    const { status, json } = await answer;
    return [status, json.error?.details?.faults?.[0]?.pointer];
  };
  const create = (body: object) => send('POST', '/v1/sso/connections', { name: newUlid(), client_id: 'us', ...body });
  const trusting = (issuer: string, more: object = {}) =>
    create({ issuer, domains: ['a.example'], email_trust: 'VERIFIED_DOMAINS', ...more });

  test('VERIFIED_DOMAINS is refused for an issuer that many organizations share, and without a domain', async () => {
    await connect();
    for (const issuer of [
      'https://login.microsoftonline.com/common/v2.0',
      'https://login.microsoftonline.com/organizations/v2.0',
      'https://login.microsoftonline.com/consumers/v2.0',
      'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
      'https://login.microsoftonline.com/{tenantid}/v2.0',
      'https://LOGIN.microsoftonline.com/Common/v2.0',
      'https://login.microsoftonline.us/common/v2.0',
      'https://sts.windows.net/common/',
      'https://login.microsoftonline.com/',
      'https://accounts.google.com',
      'https://appleid.apple.com',
    ]) {
      assert.deepEqual(await readPointer(trusting(issuer)), [400, '/email_trust'], issuer);
      const { json } = await create({ issuer, domains: [`${newUlid().toLowerCase()}.example`] });
      assert.deepEqual(
        await readPointer(send('PATCH', `/v1/sso/connections/${json.id}`, { email_trust: 'VERIFIED_DOMAINS' })),
        [400, '/email_trust'],
        issuer,
      );
      await make('DELETE', `/v1/sso/connections/${json.id}`);
    }
    const tenantIssuer = 'https://login.microsoftonline.com/0d0f2c0e-0000-4000-8000-000000000001/v2.0';
    assert.deepEqual(await readPointer(trusting(tenantIssuer, { domains: [] })), [400, '/email_trust']);
    const made = await trusting(tenantIssuer, { domains: [`${newUlid().toLowerCase()}.example`] });
    assert.deepEqual([made.status, made.json.email_trust], [201, 'VERIFIED_DOMAINS'], made.text);
    assert.deepEqual(await readPointer(send('PATCH', `/v1/sso/connections/${made.json.id}`, { domains: [] })), [400, '/email_trust']);
    assert.deepEqual(await readPointer(trusting(tenantIssuer, { email_trust: 'DOMAINS' })), [400, '/email_trust']);
  });

  test('is changed, read and recorded', async () => {
    await connect();
    const changed = await make('PATCH', `/v1/sso/connections/${connection.id}`, { email_trust: 'VERIFIED_DOMAINS' });
    assert.equal(changed.email_trust, 'VERIFIED_DOMAINS');
    assert.deepEqual(
      (await make('GET', '/v1/sso/connections')).map(({ email_trust }: { email_trust: string }) => email_trust),
      ['VERIFIED_DOMAINS'],
    );
    const { rows } = await owner.query(
      "select data::jsonb - 'record_digests' as data from audit_events where subject_id = $1 and data->>'change' = 'updated'",
      [connection.id],
    );
    assert.deepEqual([rows[0].data.before.email_trust, rows[0].data.after.email_trust], ['CLAIM', 'VERIFIED_DOMAINS']);
    assert.equal((await signIn('sub-changed', { email: `changed@${domain}` })).status, 200);
    await make('PATCH', `/v1/sso/connections/${connection.id}`, { email_trust: 'CLAIM' });
    await assertRefused(await signIn('sub-back', { email: `back@${domain}` }), MISSING);
  });
});

test('claims that contain a NUL are refused or cleaned and never fail', async () => {
  await connect();
  const email = `nul@${domain}`;
  const bySubject = await signIn('a\0b', { email, email_verified: true });
  assert.deepEqual([bySubject.status, (await lastFailure()).reason], [401, 'PROVIDER_RESPONSE_INVALID'], bySubject.text);
  const byName = await signIn('sub-nul', { email, email_verified: true, name: 'A\0B\nC\u0007' });
  assert.deepEqual([byName.status, byName.json.user?.name], [200, 'A B C'], byName.text);
});
