import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFreshDatabase } from '@svc/testing/database/database.ts';
import { call } from '@svc/testing/people/client.ts';
import { signUp } from '@svc/testing/people/tenant.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
before(async () => {
  planes = await startPlanes({ gateways: 0, env: { SVC_GATEWAY_URL: 'https://gateway.example.com' } });
});
after(() => planes.stop());

const listErrorCodes = () => call(planes.controlUrl, 'GET', '/v1/meta/error-codes');
const listEventTypes = () => call(planes.controlUrl, 'GET', '/v1/meta/event-types');
const getInfo = (token?: string) => call(planes.controlUrl, 'GET', '/v1/meta/info', { token });
const controlReady = (controlUrl: string) => call(controlUrl, 'GET', '/health/ready');
const controlLive = (controlUrl: string) => call(controlUrl, 'GET', '/health/live');

test('the tables of codes and events are public', async () => {
  const codes = (await listErrorCodes()).json;
  assert.equal(codes.length, 57);
  for (const row of codes) assert.deepEqual(Object.keys(row).sort(), ['code', 'docs_url', 'message', 'remedy', 'retry', 'status', 'when']);
  const events = (await listEventTypes()).json;
  assert.deepEqual([events.all.length - events.added.length, events.webhook_subscribable.length], [156, 32]);
  assert.ok(events.added.every((type: string) => events.all.includes(type)));
  assert.ok(events.webhook_subscribable.every((type: string) => events.all.includes(type)));
  for (const type of ['policy.simulated', 'trust.evidence_added', 'delegation.extended']) assert.equal(events.waiting[type], undefined);
});

test('the version and both addresses require a sign-in', async () => {
  assert.equal((await getInfo()).status, 401);
  const { token } = await signUp(planes.controlUrl);
  const info = (await getInfo(token)).json;
  assert.deepEqual([info.base_url, info.gateway_url], [planes.controlUrl, 'https://gateway.example.com']);
  assert.match(info.version, /^\d+\.\d+\.\d+/);
});

const pages = (base: string) => Promise.all(['/', '/docs', '/openapi.json', '/docs/errors'].map((path) => call(base, 'GET', path)));

test('controlRoot, controlDocs, controlOpenapi and controlErrorsPage are public, and documented like any other call', async () => {
  const [root, docs, openapi, codes] = await pages(planes.controlUrl);
  assert.deepEqual(
    [root, docs, openapi, codes].map((answer) => answer?.headers.get('cache-control')),
    Array(4).fill('public, max-age=300'),
  );
  assert.match(codes?.text ?? '', /<section id="ACTION_BLOCKED">/);
  const { paths } = openapi?.json ?? {};
  for (const path of ['/', '/docs', '/openapi.json', '/docs/errors', '/sign-in']) assert.ok(paths[path].get.operationId, path);
  assert.deepEqual(Object.keys(paths['/docs'].get.responses['200'].content), ['text/html']);
  const wrong = await call(planes.controlUrl, 'POST', '/docs/page.css');
  assert.deepEqual([wrong.status, wrong.headers.get('allow')], [405, 'GET, HEAD, OPTIONS']);
});

test('controlGuides and controlGuide answer anyone, and an unknown guide is 404', async () => {
  for (const path of ['/docs/guides', '/docs/guides/approvals']) {
    const { status, headers } = await call(planes.controlUrl, 'GET', path);
    assert.deepEqual([status, headers.get('cache-control')], [200, 'public, max-age=300'], path);
  }
  const unknown = await call(planes.controlUrl, 'GET', '/docs/guides/nothing');
  assert.deepEqual([unknown.status, unknown.json.error.code], [404, 'NOT_FOUND']);
});

test('controlGuides finds sections of guides that contain all words of a query, and shows the query as text', async () => {
  const search = (q: string) => call(planes.controlUrl, 'GET', `/docs/guides?q=${encodeURIComponent(q)}`);
  const found = await search('step-up approval');
  assert.match(found.text, /<li><a href="\/docs\/guides\/[a-z-]+(?:#[a-z0-9-]+)?">/);
  assert.match(found.headers.get('content-security-policy') ?? '', /form-action 'self'/);
  assert.match((await search('nosuchwordanywhere')).text, /No guide contains all of these words/);
  const attack = await search('"><script>alert(1)</script>');
  assert.ok(attack.text.includes('value="&quot;&gt;&lt;script&gt;'));
  assert.doesNotMatch(attack.text, /<script/);
  assert.ok(!(await search('x'.repeat(300))).text.includes('x'.repeat(201)));
  assert.match((await call(planes.controlUrl, 'GET', '/docs/guides?q=a&q=b&other=1')).text, /<h1>Guides<\/h1>/);
  assert.match((await search('')).text, /<h1>Guides<\/h1>/);
});

test('an instance without its database is live, and reports that it is not ready', async () => {
  const database = await createFreshDatabase();
  const lonely = await startPlanes({ gateways: 0, database });
  assert.deepEqual((await controlReady(lonely.controlUrl)).json, { status: 'ok', checks: { database: 'ok', clock: 'ok' } });
  await database.drop();
  let ready = await controlReady(lonely.controlUrl);
  // The result is cached for a second.
  for (const until = Date.now() + 60_000; ready.status === 200 && Date.now() < until; await sleep(100))
    ready = await controlReady(lonely.controlUrl);
  assert.deepEqual([ready.status, ready.json.error.code], [503, 'DEPENDENCY_UNAVAILABLE']);
  assert.deepEqual(
    [ready.json.error.message, ready.json.error.details],
    ['The database does not respond.', { checks: { database: 'unavailable' } }],
  );
  assert.ok(Number(ready.headers.get('retry-after')) > 0);
  assert.ok(!ready.text.includes('test_'));
  assert.deepEqual((await controlLive(lonely.controlUrl)).json, { status: 'ok', checks: { process: 'ok' } });
  await lonely.stop();
});
