import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { getMetadata, type LyingProvider, newKey, startLyingProvider } from '@svc/testing/peers/lying-provider.ts';
import { newBrowser } from '@svc/testing/people/browser.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { newTenant, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';

let planes: Planes;
let provider: LyingProvider;
let owner: pg.Client;
let tenant: Tenant;
let connectionId: string;

before(async () => {
  provider = await startLyingProvider();
  planes = await startPlanes({ gateways: 0, env: { SVC_EGRESS_ALLOW_CIDRS: '127.0.0.1/32', SVC_EGRESS_TIMEOUT_MS: '1000' } });
  owner = await planes.database.client();
  tenant = await newTenant(planes);
  await stepUp(planes.controlUrl, tenant);
  ({ id: connectionId } = await create({ name: 'Liar', issuer: provider.issuer }));
  // A known person needs no address.
  await owner.query('insert into sso_identities (organization_id, id, connection_id, subject, user_id) values ($1, $2, $3, $4, $5)', [
    ...[tenant.organization_id, 'idn_00000000000000000000000001', connectionId, 'sub-1', tenant.user.id],
  ]);
});
after(async () => {
  await owner.end();
  await Promise.all([planes.stop(), provider.close()]);
});

const create = (body: object) =>
  mustCall(planes.controlUrl, 'POST', '/v1/sso/connections', {
    token: tenant.token,
    body: { client_id: 'us', client_secret: 'hush', ...body },
  });
const look = (id: string) => mustCall(planes.controlUrl, 'POST', `/v1/sso/connections/${id}/test`, { token: tenant.token, body: {} });

const startUrl = () => `${planes.controlUrl}/v1/auth/sso/start?connection_id=${connectionId}`;

/** Signs in from the start to the response of the return; the test sets the nonce and times that the token endpoint states. */
const signIn = async (token: (nonce: string, now: number) => unknown, more = '', id = connectionId) => {
  const browser = newBrowser();
  const begun = await browser.ask(`${planes.controlUrl}/v1/auth/sso/start?connection_id=${id}`);
  const asked = new URL(begun.headers.get('location') ?? '').searchParams;
  assert.equal(asked.get('code_challenge_method'), 'S256');
  const now = Math.floor(Date.now() / 1000);
  provider.answer('/token', { access_token: 'at', token_type: 'Bearer', id_token: token(asked.get('nonce') ?? '', now) });
  const ssoCallbackOf = (query: string) => browser.ask(`${asked.get('redirect_uri')}?${query}`);
  const answer = await ssoCallbackOf(`code=c&state=${asked.get('state')}${more}`);
  const json = JSON.parse(await answer.text());
  return { status: answer.status, code: json.error?.code as string | undefined, json };
};

const listClaims = (nonce: string, now: number, more: object = {}) => ({
  ...{ iss: provider.issuer, aud: 'us', sub: 'sub-1', nonce, iat: now, exp: now + 60 },
  ...more,
});

test('a valid provider is accepted, also with a key it published just now', async () => {
  const fine = await signIn((nonce, now) => provider.idToken(listClaims(nonce, now)));
  assert.deepEqual([fine.status, fine.json.user?.id], [200, tenant.user.id], JSON.stringify(fine.json));
  const next = newKey();
  provider.publish(next);
  assert.equal((await signIn((nonce, now) => provider.idToken(listClaims(nonce, now), undefined, next))).status, 200);
  assert.equal(
    (await signIn((nonce, now) => provider.idToken(listClaims(nonce, now)))).code,
    'INVALID_CREDENTIALS',
    'a key that was withdrawn',
  );
  provider.publish(provider.key);
});

describe('a token is accepted only if', () => {
  const other = newKey();
  const CASES: Readonly<Record<string, (nonce: string, now: number) => unknown>> = {
    'the provider signed it': (nonce, now) => provider.idToken(listClaims(nonce, now), undefined, other),
    'it is signed at all': (nonce, now) => provider.idToken(listClaims(nonce, now), { alg: 'none' }),
    'its algorithm is one with two keys': (nonce, now) => provider.idToken(listClaims(nonce, now), { alg: 'HS256' }),
    'it is for this service': (nonce, now) => provider.idToken(listClaims(nonce, now, { aud: 'them' })),
    'it is for this service only': (nonce, now) => provider.idToken(listClaims(nonce, now, { aud: ['us', 'them'] })),
    'its authorized party is this client': (nonce, now) => provider.idToken(listClaims(nonce, now, { azp: 'them' })),
    'its authorized party is a text': (nonce, now) => provider.idToken(listClaims(nonce, now, { azp: ['us'] })),
    'its authorized party is this client, also with one audience in a list': (nonce, now) =>
      provider.idToken(listClaims(nonce, now, { aud: ['us'], azp: 'them' })),
    'it names its issuer': (nonce, now) => provider.idToken(listClaims(nonce, now, { iss: 'https://evil.example' })),
    'it is of this sign-in': (_, now) => provider.idToken(listClaims('other', now)),
    'it has a nonce': (nonce, now) => provider.idToken({ ...listClaims(nonce, now), nonce: undefined }),
    'it has not expired': (nonce, now) => provider.idToken(listClaims(nonce, now, { exp: now - 120 })),
    'it has an end': (nonce, now) => provider.idToken({ ...listClaims(nonce, now), exp: undefined }),
    'it has begun': (nonce, now) => provider.idToken(listClaims(nonce, now, { nbf: now + 600 })),
    'it names a person': (nonce, now) => provider.idToken(listClaims(nonce, now, { sub: '' })),
    'it names a person within the length limit': (nonce, now) => provider.idToken(listClaims(nonce, now, { sub: 's'.repeat(300) })),
    'it is there': () => undefined,
    'it is a token': () => 'a.b.c',
  };
  for (const [what, token] of Object.entries(CASES))
    test(what, async () => {
      const { status, code, json } = await signIn(token);
      assert.deepEqual([status, code], [401, 'INVALID_CREDENTIALS'], JSON.stringify(json));
    });

  test('an authorized party that is this client is accepted', async () => {
    assert.equal((await signIn((nonce, now) => provider.idToken(listClaims(nonce, now, { azp: 'us' })))).status, 200);
  });

  test('clocks differ by a minute at most', async () => {
    assert.equal((await signIn((nonce, now) => provider.idToken(listClaims(nonce, now, { iat: now + 30, exp: now - 30 })))).status, 200);
  });

  test('refused tokens are recorded', async () => {
    const { rows } = await owner.query(
      "select data::jsonb - 'record_digests' as data from audit_events where organization_id = $1 and type = 'user.login_failed'",
      [tenant.organization_id],
    );
    assert.ok(rows.length >= Object.keys(CASES).length);
    assert.ok(rows.every(({ data }) => typeof data.sso === 'string'));
  });
});

test('a provider that omits its issuer is identified by the path of the return', async () => {
  const browser = newBrowser();
  const begun = await browser.ask(startUrl());
  const asked = new URL(begun.headers.get('location') ?? '').searchParams;
  assert.equal(asked.get('redirect_uri'), `${planes.controlUrl}/v1/auth/sso/callback/${connectionId}`);
  const { id: another } = await create({ name: 'Another', issuer: provider.issuer });
  for (const path of ['', `/${another}`]) {
    const answer = await browser.ask(`${planes.controlUrl}/v1/auth/sso/callback${path}?code=c&state=${asked.get('state')}`);
    assert.equal(answer.status, 410, path);
  }
});

test('a second factor of the provider counts only where the connection trusts it', async () => {
  const readAmr = async () => {
    const { json } = await signIn((nonce, now) => provider.idToken(listClaims(nonce, now, { amr: ['pwd', 'mfa'] })));
    const { rows } = await owner.query('select amr from sessions where token_hash = sha256($1::bytea)', [json.token]);
    return rows[0].amr;
  };
  assert.deepEqual(await readAmr(), ['SSO']);
  await mustCall(planes.controlUrl, 'PATCH', `/v1/sso/connections/${connectionId}`, { token: tenant.token, body: { trusts_mfa: true } });
  assert.deepEqual(await readAmr(), ['SSO_MFA']);
});

describe('a provider', () => {
  const good = () => getMetadata(provider.issuer);
  const DOCUMENT = '/.well-known/openid-configuration';
  const readFault = async (how: Parameters<LyingProvider['answer']>[1]): Promise<string | null> => {
    provider.answer(DOCUMENT, how);
    const { ok, fault } = await look(connectionId);
    assert.equal(ok, fault === null);
    return fault;
  };
  after(() => provider.answer(DOCUMENT, good()));

  test('that is too large, redirects, is malformed or fails is reported as such and not used', async () => {
    const header = { 'content-type': 'application/json' };
    assert.match(
      (await readFault((to) => void to.writeHead(200, header).end(JSON.stringify({ ...good(), x: 'x'.repeat(400_000) })))) ?? '',
      /large/,
    );
    assert.match((await readFault((to) => void to.writeHead(302, { location: 'http://127.0.0.1:1/' }).end())) ?? '', /redirect/);
    assert.match((await readFault((to) => void to.writeHead(200, header).end('<html>'))) ?? '', /not an OpenID provider configuration/);
    assert.match((await readFault((to) => void to.writeHead(503).end())) ?? '', /503/);
    const browser = await newBrowser().ask(startUrl());
    assert.equal(browser.status, 503);
    assert.equal(await readFault(good()), null);
  });

  test('with another issuer or with an invalid address is not used', async () => {
    assert.notEqual(await readFault({ ...good(), issuer: 'https://evil.example' }), null);
    assert.match((await readFault({ ...good(), authorization_endpoint: 'javascript:alert(1)' })) ?? '', /authorization_endpoint/);
    assert.match((await readFault({ ...good(), jwks_uri: undefined })) ?? '', /jwks_uri/);
    assert.match((await readFault({ ...good(), code_challenge_methods_supported: ['plain'] })) ?? '', /PKCE/);
    assert.equal(await readFault(good()), null);
  });

  test('without a supported client authentication is reported by the test, and no sign-in starts', async () => {
    const cases: readonly (readonly [object, RegExp])[] = [
      [{ id_token_signing_alg_values_supported: ['HS256'] }, /HS256/],
      [{ id_token_signing_alg_values_supported: ['none', 'HS512'] }, /HS512/],
      [{ id_token_signing_alg_values_supported: [] }, /sign/],
      [{ require_pushed_authorization_requests: true }, /PAR/],
      [{ require_signed_request_object: true }, /request object/],
      [{ response_types_supported: ['id_token', 'code id_token'] }, /response type code/],
      [{ response_modes_supported: ['fragment', 'form_post'] }, /query/],
      [{ grant_types_supported: ['implicit'] }, /authorization_code/],
      [{ token_endpoint_auth_methods_supported: ['private_key_jwt'] }, /private_key_jwt/],
      [{ token_endpoint_auth_methods_supported: ['tls_client_auth', 'client_secret_jwt'] }, /client_secret_jwt/],
      [{ token_endpoint_auth_methods_supported: ['none'] }, /client secret/],
    ];
    for (const [more, said] of cases) {
      assert.match((await readFault({ ...good(), ...more })) ?? 'no fault', said, JSON.stringify(more));
      assert.equal((await newBrowser().ask(startUrl())).status, 503, JSON.stringify(more));
    }
    const fine: readonly object[] = [
      { id_token_signing_alg_values_supported: ['HS256', 'ES256'] },
      { id_token_signing_alg_values_supported: undefined },
      { require_pushed_authorization_requests: false, pushed_authorization_request_endpoint: `${provider.issuer}/par` },
      { response_types_supported: ['code id_token', 'code'], response_modes_supported: ['query', 'form_post'] },
      { grant_types_supported: ['authorization_code', 'refresh_token'] },
      { token_endpoint_auth_methods_supported: ['private_key_jwt', 'client_secret_post'] },
      { token_endpoint_auth_methods_supported: undefined },
    ];
    for (const more of fine) assert.equal(await readFault({ ...good(), ...more }), null, JSON.stringify(more));
    const open = await create({ name: 'Public', issuer: provider.issuer, client_secret: undefined });
    const openFault = async (methods: string[]) => {
      provider.answer(DOCUMENT, { ...good(), token_endpoint_auth_methods_supported: methods });
      return (await look(open.id)).fault;
    };
    assert.match(await openFault(['private_key_jwt', 'tls_client_auth']), /private_key_jwt/);
    assert.equal(await openFault(['none']), null);
    assert.equal(await openFault(['client_secret_post', 'private_key_jwt']), null, 'providers do not always list public clients');
    assert.equal(await readFault(good()), null);
  });

  test('in an internal network is never requested: not by its issuer, and not by the addresses in its document', async () => {
    for (const issuer of ['https://10.0.0.1', 'https://169.254.169.254', 'https://[fd00::1]', 'https://192.168.1.1/realms/a']) {
      const { id } = await create({ name: issuer, issuer });
      assert.match((await look(id)).fault, /not allowed/, issuer);
      assert.equal((await newBrowser().ask(`${planes.controlUrl}/v1/auth/sso/start?connection_id=${id}`)).status, 503);
    }
    provider.answer(DOCUMENT, { ...good(), token_endpoint: 'http://10.0.0.1/token' });
    await look(connectionId);
    const { status, json } = await signIn(() => 'never asked for');
    assert.deepEqual([status, json.error.code], [503, 'DEPENDENCY_UNAVAILABLE']);
    const refused = ['http://login.example.com', 'file:///etc/passwd', 'https://a:b@x.example', 'https://x.example/?a=b'];
    for (const issuer of refused) {
      const answer = await call(planes.controlUrl, 'POST', '/v1/sso/connections', {
        token: tenant.token,
        body: { name: 'x', issuer, client_id: 'x' },
      });
      assert.deepEqual([answer.status, answer.json.error.details.faults[0].pointer], [400, '/issuer'], issuer);
    }
  });

  test('that is slow delays no one for long', async () => {
    const began = performance.now();
    assert.match((await readFault(() => undefined)) ?? '', /in time/);
    assert.ok(performance.now() - began < 15_000);
    provider.answer(DOCUMENT, good());
  });
});
