import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CLIENT_SECRET, expireTokens, newOauthScene, OAUTH_ENV, type OauthScene } from '@svc/testing/agents/oauth-scene.ts';
import { type AuthorizationServer, startAuthorizationServer } from '@svc/testing/peers/authorization-server.ts';
import { type Browser, newBrowser } from '@svc/testing/people/browser.ts';
import type { TestResponse } from '@svc/testing/people/client.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { freePort } from '@svc/testing/processes/free-port.ts';
import type pg from 'pg';

type Connecting = OauthScene & { readonly provider: AuthorizationServer; readonly redirectUri: string; readonly end: () => Promise<void> };

const isDone = ({ status, json, text }: TestResponse): void => assert.deepEqual([status, json.status], [200, 'COMPLETED'], text);

/** Creates a credential at a real authorization server that has its redirect URI registered. */
const newConnecting = async (planes: Planes, oauth: object, client: (told: TestResponse['json']) => object): Promise<Connecting> => {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const isInBrowser = 'authorization_url' in oauth;
  const named = { token_url: `${issuer}/token`, issuer, client_id: 'an-application' };
  const addresses = { ...oauth, ...named, ...(isInBrowser ? { authorization_url: `${issuer}/auth` } : {}) };
  const scene = await newOauthScene(planes, { oauth: addresses, more: { refresh_token: undefined, ...oauthSecrets(oauth) } });
  scene.service.takes = (token) => token !== undefined && /^Bearer .{20,}$/.test(token);
  const told = (await scene.credential()).json.oauth;
  const provider = await startAuthorizationServer(port, [
    { client_id: 'an-application', scope: 'openid offline_access orders', ...client(told) },
  ]);
  const end = async (): Promise<void> => {
    await provider.close();
    await scene.close();
  };
  return { ...scene, provider, redirectUri: told.redirect_uri, end };
};

const oauthSecrets = (oauth: { client_authentication?: string }): object =>
  ['PRIVATE_KEY_JWT', 'NONE'].includes(oauth.client_authentication ?? '') ? { client_secret: undefined } : {};

const webClient = ({ redirect_uri }: TestResponse['json']): object => ({
  ...{ client_secret: CLIENT_SECRET, redirect_uris: [redirect_uri], response_types: ['code'] },
  grant_types: ['authorization_code', 'refresh_token'],
});

let planes: Planes;
let owner: pg.Client;
before(async () => {
  planes = await leasePlanes({ env: OAUTH_ENV });
  owner = await planes.database.client();
});
after(async () => {
  await owner.end();
  await planes.stop();
});

const withAddress = (): Promise<Connecting> => {
  const terms = { grant: 'REFRESH_TOKEN', scope: 'openid offline_access orders', authorization_url: '' };
  return newConnecting(planes, terms, webClient);
};
const begin = async (scene: Connecting, browser: Browser): Promise<URL> => {
  const response = await browser.ask(`${planes.controlUrl}/v1/credentials/${scene.credentialId}/connect`, {
    method: 'POST',
    headers: { authorization: `Bearer ${scene.tenant.token}`, 'content-type': 'application/json' },
    body: '{}',
  });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  const url = new URL(JSON.parse(text).authorization_url);
  assert.equal(url.searchParams.get('redirect_uri'), scene.redirectUri);
  assert.equal(url.searchParams.get('code_challenge_method'), 'S256');
  return url;
};
const comeBack = async (scene: Connecting, browser = newBrowser()): Promise<{ browser: Browser; url: string }> => {
  const start = await begin(scene, browser);
  const { url } = await browser.follow(start.href, (next) => next.startsWith(planes.controlUrl));
  return { browser, url };
};
const finishConnection = async (browser: Browser, url: string) => {
  const response = await browser.ask(url);
  const text = await response.text();
  return { status: response.status, code: response.status === 200 ? undefined : JSON.parse(text).error.code, text };
};
const readState = async ({ credential }: OauthScene): Promise<string> => (await credential()).json.oauth.connection.state;

test('a person connects an OAuth application at a real authorization server in the browser; it sends its tokens and renews them on rotation', async () => {
  const scene = await withAddress();
  try {
    assert.equal(await readState(scene), 'UNCONNECTED');
    const { browser, url } = await comeBack(scene);
    const finished = await finishConnection(browser, url);
    assert.equal(finished.status, 200, finished.text);
    const { connection } = JSON.parse(finished.text).oauth;
    assert.deepEqual([connection.state, connection.connected_by], ['CONNECTED', scene.tenant.user.id]);
    isDone(await scene.ship());
    await expireTokens(scene, owner);
    isDone(await scene.ship());
    await expireTokens(scene, owner);
    isDone(await scene.ship());
    assert.equal(new Set(scene.service.tokens).size, 3);
    assert.equal((await finishConnection(browser, url)).code, 'GONE', 'once');
    const { rows } = await owner.query(
      "select actor_id, data::jsonb - 'record_digests' as data from audit_events where subject_id = $1 and data->>'change' = 'connected'",
      [scene.credentialId],
    );
    assert.deepEqual([rows.length, rows[0].actor_id], [1, scene.tenant.user.id]);
  } finally {
    await scene.end();
  }
});

test('an OAuth application is not connected from outside the networks of the organization', async () => {
  const scene = await withAddress();
  try {
    const { browser, url } = await comeBack(scene);
    const named = { allowed_networks: ['192.0.2.0/24'], confirm_lockout: true };
    await newControlClient(planes.controlUrl, scene.tenant.token).updateOrganization({ body: named });
    assert.equal((await finishConnection(browser, url)).code, 'NETWORK_RESTRICTED');
    await owner.query("update organizations set allowed_networks = '{}' where id = $1", [scene.tenant.organization_id]);
    assert.equal(await readState(scene), 'UNCONNECTED');
    assert.equal((await finishConnection(browser, url)).code, 'GONE', 'once');
  } finally {
    await scene.end();
  }
});

test('an OAuth application without a refresh token is not connected, and the reason is reported with the remedy', async () => {
  const terms = { grant: 'REFRESH_TOKEN', scope: 'openid orders', authorization_url: '' };
  const scene = await newConnecting(planes, terms, (told) => ({ ...webClient(told), grant_types: ['authorization_code'] }));
  try {
    const { browser, url } = await comeBack(scene);
    const { status, code, text } = await finishConnection(browser, url);
    assert.deepEqual([status, code], [422, 'UNPROCESSABLE'], text);
    assert.match(JSON.parse(text).error.message, /returned no refresh token.*offline_access/);
    assert.equal(await readState(scene), 'UNCONNECTED');
  } finally {
    await scene.end();
  }
});

test('an OAuth application is not connected from another browser, credential, state or server', async () => {
  const scene = await withAddress();
  const other = await withAddress();
  try {
    const { browser, url } = await comeBack(scene);
    assert.equal((await finishConnection(newBrowser(), url)).code, 'GONE', 'another browser');
    const stranger = newBrowser();
    await begin(scene, stranger);
    assert.equal((await finishConnection(stranger, url)).code, 'GONE', 'a browser that began another');
    const elsewhere = url.replace(scene.credentialId, other.credentialId);
    assert.equal((await finishConnection(browser, elsewhere)).code, 'GONE', 'another credential');
    const tampered = new URL(url);
    tampered.searchParams.set('state', 'f'.repeat(64));
    assert.equal((await finishConnection(browser, tampered.href)).code, 'GONE', 'another state');
    for (const issuer of [undefined, 'https://login.evil.example']) {
      const back = await comeBack(scene);
      const mixedUp = new URL(back.url);
      mixedUp.searchParams.delete('iss');
      if (issuer) mixedUp.searchParams.set('iss', issuer);
      assert.equal((await finishConnection(back.browser, mixedUp.href)).code, 'PERMISSION_DENIED', String(issuer));
      assert.equal((await finishConnection(back.browser, back.url)).code, 'GONE', 'the state is taken');
    }
    for (const codes of [[], [''], ['one', 'two']]) {
      const back = await comeBack(scene);
      const without = new URL(back.url);
      without.searchParams.delete('code');
      for (const code of codes) without.searchParams.append('code', code);
      assert.equal((await finishConnection(back.browser, without.href)).code, 'PERMISSION_DENIED', `codes: ${codes.length}`);
    }
    const guessed = new URL((await begin(scene, browser)).href);
    const forged = `${scene.redirectUri}?${new URLSearchParams({ code: 'stolen', state: guessed.searchParams.get('state') ?? '', iss: scene.provider.issuer })}`;
    assert.equal((await finishConnection(browser, forged)).code, 'DEPENDENCY_UNAVAILABLE', 'a code of somebody else');
    assert.deepEqual([await readState(scene), await readState(other)], ['UNCONNECTED', 'UNCONNECTED']);
  } finally {
    await Promise.all([scene.end(), other.end()]);
  }
});

test('an OAuth application is not connected by a person who refused, lost the permission or whose session ended', async () => {
  const scene = await withAddress();
  try {
    scene.provider.refuses = true;
    const refused = await comeBack(scene);
    assert.equal((await finishConnection(refused.browser, refused.url)).code, 'PERMISSION_DENIED');
    scene.provider.refuses = false;
    const [demoted, ended] = [await comeBack(scene), await comeBack(scene)];
    const { organization_id, user } = scene.tenant;
    const role = "(select id from roles where name = 'viewer' and organization_id is null)";
    const { rows } = await owner.query('select role_id from members where organization_id = $1 and user_id = $2', [
      organization_id,
      user.id,
    ]);
    await owner.query(`update members set role_id = ${role} where organization_id = $1 and user_id = $2`, [organization_id, user.id]);
    assert.equal((await finishConnection(demoted.browser, demoted.url)).code, 'PERMISSION_DENIED');
    await owner.query('update members set role_id = $3 where organization_id = $1 and user_id = $2', [
      organization_id,
      user.id,
      rows[0].role_id,
    ]);
    await owner.query('update sessions set revoked_at = now() where organization_id = $1 and user_id = $2', [organization_id, user.id]);
    assert.equal((await finishConnection(ended.browser, ended.url)).code, 'PERMISSION_DENIED');
    const tokens = await owner.query('select state, sealed_refresh_token from credential_tokens where credential_id = $1', [
      scene.credentialId,
    ]);
    assert.deepEqual(tokens.rows, [{ state: 'UNCONNECTED', sealed_refresh_token: null }]);
  } finally {
    await scene.end();
  }
});

for (const client_authentication of ['CLIENT_SECRET_BASIC', 'CLIENT_SECRET_POST', 'PRIVATE_KEY_JWT'])
  test(`an application authenticates by ${client_authentication} for client credentials at a real authorization server`, async () => {
    const method = client_authentication.toLowerCase();
    const proof = ({ public_jwk }: TestResponse['json']) =>
      method === 'private_key_jwt'
        ? { jwks: { keys: [public_jwk] }, token_endpoint_auth_signing_alg: 'ES256' }
        : { client_secret: CLIENT_SECRET };
    const scene = await newConnecting(planes, { grant: 'CLIENT_CREDENTIALS', client_authentication, scope: 'orders' }, (told) => ({
      ...{ grant_types: ['client_credentials'], redirect_uris: [], response_types: [], token_endpoint_auth_method: method },
      ...proof(told),
    }));
    try {
      isDone(await scene.ship());
      isDone(await scene.ship());
      assert.deepEqual(scene.provider.requests, ['POST /token']);
    } finally {
      await scene.end();
    }
  });

test('invalid members of an OAuth credential are refused with their pointers, when it is stored or connected', async () => {
  const scene = await newOauthScene(planes);
  try {
    const { environment_id } = scene.tenant;
    const oauth = { grant: 'REFRESH_TOKEN', token_url: 'https://login.example/token', client_id: 'us' };
    const place = { name: 'Never', environment_id, scheme: 'BEARER', destinations: ['service.example'], tools: ['x'] };
    const pointers = async (body: object) => {
      const { status, json } = await scene.owner('POST', '/v1/credentials', { ...place, ...body });
      assert.equal(status, 400);
      return json.error.details.faults.map(({ pointer }: { pointer: string }) => pointer);
    };
    assert.deepEqual(await pointers({}), ['/secret']);
    assert.deepEqual(await pointers({ oauth }), ['/refresh_token', '/client_secret']);
    assert.deepEqual(await pointers({ oauth, secret: 'a-fixed-secret', refresh_token: 'r', client_secret: 's' }), ['/secret']);
    assert.deepEqual(await pointers({ oauth: { ...oauth, grant: 'CLIENT_CREDENTIALS', client_authentication: 'NONE' } }), [
      '/oauth/client_authentication',
    ]);
    assert.deepEqual(
      await pointers({ oauth: { ...oauth, client_authentication: 'PRIVATE_KEY_JWT' }, refresh_token: 'r', private_key: 'x'.repeat(200) }),
      ['/private_key'],
    );
    const connectCredential = (id: string) => scene.owner('POST', `/v1/credentials/${id}/connect`, {});
    assert.equal((await connectCredential(scene.credentialId)).json.error.code, 'CONFLICT');
    assert.equal((await connectCredential('cred_7ZZZZZZZZZZZZZZZZZZZZZZZZZ')).json.error.code, 'NOT_FOUND');
  } finally {
    await scene.close();
  }
});
