import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { deriveCsrfToken } from '@svc/keyring/tokens/csrf-token.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { type SignedUp, signUp } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { freePort } from '@svc/testing/processes/free-port.ts';

type Headers = Readonly<Record<string, string>>;

let planes: Planes;
let person: SignedUp;
before(async () => {
  planes = await leasePlanes();
  person = await signUp(planes.controlUrl);
});
after(() => planes.stop());

const outcome = ({ status, json }: TestResponse): [number, string | undefined] => [status, json?.error?.code];
const ask = (method: string, path: string, headers: Headers, body?: unknown) =>
  call(planes.controlUrl, method, path, { headers, ...(body === undefined ? {} : { body }) });
const credentials = () => ({ email: person.email, password: person.password });
const login = (headers: Headers) => ask('POST', '/v1/auth/login', headers, credentials());

/** Headers of a request from a page of the plane. */
const page = (more: Headers = {}): Headers => ({ origin: planes.controlUrl, 'x-svc-page': '1', 'sec-fetch-site': 'same-origin', ...more });

type Browser = { readonly cookie: string; readonly csrf: string };
const enter = async (): Promise<Browser> => {
  const { headers, json, text } = await login(page());
  const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';');
  assert.ok(cookie !== '' && json.csrf_token, text);
  return { cookie, csrf: json.csrf_token };
};
const findToken = ({ cookie }: Browser): string => cookie.slice(cookie.indexOf('=') + 1);
const makeWorkspace = (headers: Headers) => ask('POST', '/v1/workspaces', headers, { name: `Workspace ${performance.now()}` });
const getSession = (headers: Headers) => ask('GET', '/v1/auth/session', headers);

describe('a sign-in on a page of the service', () => {
  test('gets an HttpOnly cookie and no token; any other client gets the token and no cookie', async () => {
    const inBrowser = await login(page());
    assert.equal(inBrowser.status, 200, inBrowser.text);
    assert.ok(!inBrowser.text.includes('svc_ses_') && !('token' in inBrowser.json));
    const [cookie = '', ...attributes] = (inBrowser.headers.getSetCookie()[0] ?? '').split('; ');
    assert.match(cookie, /^svc-session=svc_ses_[0-9A-Za-z]{49}$/);
    const [age = '', ...others] = attributes;
    assert.match(age, /^Max-Age=43[12]\d\d$/);
    assert.deepEqual(others, ['Path=/', 'HttpOnly', 'SameSite=Lax']);
    assert.equal(inBrowser.json.csrf_token, deriveCsrfToken(cookie.slice('svc-session='.length)));
    const program = await login({ origin: planes.controlUrl });
    assert.match(program.json.token, /^svc_ses_/);
    assert.deepEqual([program.headers.get('set-cookie'), program.json.csrf_token], [null, undefined]);
  });

  test('requires its exact origin: any other is refused before any look-up, and leaves no session', async () => {
    const before = await sessions();
    const { host, port } = new URL(planes.controlUrl);
    const others = ['null', `https://${host}`, `http://127.0.0.1:${Number(port) + 1}`, `http://evil.${host}`, `${planes.controlUrl}/`, ''];
    for (const origin of others) assert.deepEqual(outcome(await login(page({ origin }))), [403, 'PERMISSION_DENIED'], origin);
    for (const site of ['cross-site', 'same-site', 'none'])
      assert.deepEqual(outcome(await login(page({ 'sec-fetch-site': site }))), [403, 'PERMISSION_DENIED'], site);
    assert.deepEqual(outcome(await login({ 'x-svc-page': '1' })), [403, 'PERMISSION_DENIED'], 'no origin');
    assert.equal(await sessions(), before);
    for (const name of ['localhost', '[::1]']) assert.equal((await login(page({ origin: `http://${name}:${port}` }))).status, 200, name);
  });

  test('is not shared with other sites: no CORS header permits a read, and no preflight is answered', async () => {
    const asked = await ask('OPTIONS', '/v1/auth/login', {
      origin: 'https://evil.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-svc-page',
    });
    for (const answer of [asked, await login({ origin: 'https://evil.example' })])
      for (const [name] of answer.headers) assert.ok(!name.startsWith('access-control-'), name);
  });
});

describe('the cookie of a session', () => {
  let browser: Browser;
  before(async () => {
    browser = await enter();
  });
  const own = (more: Headers = {}): Headers => page({ cookie: browser.cookie, 'x-svc-csrf': browser.csrf, ...more });

  test('is the session: it reads, writes with its token, and returns the token to a reloaded page', async () => {
    const told = await getSession({ cookie: browser.cookie });
    assert.deepEqual([told.status, told.json.user.id, told.json.csrf_token], [200, person.user.id, browser.csrf]);
    assert.equal((await getSession({ cookie: `theme=dark; ${browser.cookie}; other=1` })).status, 200);
    assert.equal((await makeWorkspace(own())).status, 201);
    const bearer = await call(planes.controlUrl, 'GET', '/v1/auth/session', { token: findToken(browser) });
    assert.deepEqual([bearer.json.user.id, bearer.json.csrf_token], [person.user.id, undefined], 'both name one session');
  });

  test('changes nothing without the token of this session and an own origin', async () => {
    const before = await workspaces();
    const other = await enter();
    const { origin, 'x-svc-csrf': csrf, ...rest } = own() as { origin: string; 'x-svc-csrf': string };
    const forged: Readonly<Record<string, Headers>> = {
      'no token': { ...rest, origin },
      'an empty token': own({ 'x-svc-csrf': '' }),
      'the token of another session of the same person': own({ 'x-svc-csrf': other.csrf }),
      'a token that is longer': own({ 'x-svc-csrf': `${csrf}a` }),
      'two tokens': own({ 'x-svc-csrf': `${csrf}, ${csrf}` }),
      'no origin': { ...rest, 'x-svc-csrf': csrf },
      'another origin': own({ origin: 'https://evil.example' }),
      'a page of a neighbouring host': own({ 'sec-fetch-site': 'same-site' }),
    };
    for (const [what, headers] of Object.entries(forged))
      assert.deepEqual(outcome(await makeWorkspace(headers)), [403, 'PERMISSION_DENIED'], what);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      assert.ok((await ask(method, '/v1/api-keys/apk_1', { cookie: browser.cookie }, {})).status >= 400, method);
    assert.equal(await workspaces(), before);
  });

  test('cannot read for another site if the browser names the site', async () => {
    for (const site of ['cross-site', 'same-site'])
      assert.deepEqual(outcome(await getSession({ cookie: browser.cookie, 'sec-fetch-site': site })), [403, 'PERMISSION_DENIED'], site);
    for (const site of ['same-origin', 'none'])
      assert.equal((await getSession({ cookie: browser.cookie, 'sec-fetch-site': site })).status, 200, site);
  });

  test('is ignored next to a header, which decides the identity', async () => {
    const other = await signUp(planes.controlUrl);
    const told = await getSession({ cookie: browser.cookie, authorization: `Bearer ${other.token}` });
    assert.deepEqual([told.json.user.id, told.json.csrf_token], [other.user.id, undefined]);
    const wrong = await getSession({ cookie: browser.cookie, authorization: 'Bearer nonsense' });
    assert.deepEqual(outcome(wrong), [401, 'UNAUTHENTICATED']);
  });

  test('is invalid if it occurs twice, has another name, holds no session, or is too long', async () => {
    const token = findToken(browser);
    const key = await newControlClient(planes.controlUrl, person.token).createApiKey({
      body: { name: 'key', role_id: 'rol_00000000000000000000000007' },
    });
    const wrong: readonly string[] = [
      `${browser.cookie}; ${browser.cookie}`,
      `svc-session=svc_ses_thrown; ${browser.cookie}`,
      `SVC-SESSION=${token}`,
      `__Host-svc-session=${token}`,
      `svc-session="${token}"`,
      `svc-session=${token}x`,
      `svc-session=${'svc_ses_'.padEnd(9_000, 'a')}`,
      `svc-session=${key.token}`,
      `svc-session=Bearer ${token}`,
      `svc-session=${person.user.id}`,
      'svc-session',
      'svc-session=',
      'svc-session=%00',
    ];
    for (const cookie of wrong) assert.deepEqual(outcome(await getSession({ cookie })), [401, 'UNAUTHENTICATED'], cookie.slice(0, 60));
  });

  test('is not accepted by the gateway', async () => {
    const answer = await call(planes.gatewayUrl, 'GET', '/gateway/v1/actions/act_1', { headers: { cookie: browser.cookie } });
    assert.deepEqual(outcome(answer), [401, 'UNAUTHENTICATED']);
  });

  test('changes with the organization, and is removed when the session ends', async () => {
    const switched = await ask('POST', '/v1/auth/switch', own(), { organization_id: person.organization.id });
    assert.match(switched.headers.get('set-cookie') ?? '', /^svc-session=svc_ses_/);
    assert.ok(!('token' in switched.json));
    const ended = await ask('POST', '/v1/auth/logout', own(), {});
    assert.deepEqual([ended.status, ended.headers.get('set-cookie')], [200, 'svc-session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax']);
    assert.equal(ended.headers.get('clear-site-data'), '"storage"', 'and whatever else the browser kept of this plane');
    assert.deepEqual(outcome(await getSession({ cookie: browser.cookie })), [401, 'UNAUTHENTICATED']);
    assert.deepEqual(outcome(await makeWorkspace(own())), [401, 'UNAUTHENTICATED'], 'that it has ended is told first');
  });
});

describe('with a public https address', () => {
  const BASE = 'https://governance.example.com';
  let secure: Planes;
  /** Base URL behind the proxy that speaks HTTPS. */
  let controlUrl: string;
  before(async () => {
    const port = await freePort();
    controlUrl = `http://127.0.0.1:${port}`;
    secure = await startPlanes({ gateways: 0, env: { SVC_BASE_URL: BASE, SVC_MAIL: 'none', CONTROL_PLANE_PORT: String(port) } });
  });
  after(() => secure.stop());

  test('the cookie is limited to this host and https, and one set by a neighbouring host is ignored', async () => {
    const somebody = await signUp(controlUrl);
    const headers = { origin: BASE, 'x-svc-page': '1' };
    const body = { email: somebody.email, password: somebody.password };
    const answer = await call(controlUrl, 'POST', '/v1/auth/login', { headers, body });
    const [line = '', device = ''] = answer.headers.getSetCookie();
    const [cookie = '', ...attributes] = line.split('; ');
    assert.match(device, /^__Host-svc-device=.*; HttpOnly; SameSite=Lax; Secure$/);
    assert.match(cookie, /^__Host-svc-session=svc_ses_/);
    assert.deepEqual(attributes.slice(1), ['Path=/', 'HttpOnly', 'SameSite=Lax', 'Secure']);
    const get = (value: string) => call(controlUrl, 'GET', '/v1/auth/session', { headers: { cookie: value } });
    assert.equal((await get(cookie)).status, 200);
    assert.equal((await get(`svc-session=${somebody.token}`)).status, 401, 'a name that any host of the domain may set');
    assert.equal((await get(`svc-session=thrown; ${cookie}`)).status, 200);
    for (const origin of [controlUrl, 'http://governance.example.com', 'https://a.governance.example.com'])
      assert.equal((await call(controlUrl, 'POST', '/v1/auth/login', { headers: { ...headers, origin }, body })).status, 403, origin);
  });
});

const getCount = async (sql: string, value: string): Promise<number> => {
  const client = await planes.database.client();
  const { rows } = await client.query<{ n: number }>(sql, [value]);
  await client.end();
  return rows[0]?.n ?? -1;
};
const sessions = () => getCount('select count(*)::int as n from sessions where user_id = $1', person.user.id);
const workspaces = () => getCount('select count(*)::int as n from workspaces where organization_id = $1', person.organization.id);
