import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
let governed: Governed;
before(async () => {
  planes = await leasePlanes();
  governed = await newGoverned(planes);
});
after(() => planes.stop());

const toError = ({ json }: TestResponse) => json.error;

test('a body that is not JSON is refused with the position of the fault, and without its content, on both planes', async () => {
  const raw = '{\n  "name": "Acme",\n  "token": hunter2\n}';
  const asked = [
    await call(planes.controlUrl, 'POST', '/v1/workspaces', { token: governed.tenant.token, raw }),
    await call(planes.gatewayUrl, 'POST', '/gateway/v1/actions', { token: governed.token, raw }),
    await call(planes.controlUrl, 'POST', '/v1/auth/login', { raw }),
  ];
  for (const answer of asked) {
    assert.deepEqual([answer.status, toError(answer).code], [400, 'INVALID_REQUEST']);
    assert.match(toError(answer).message, /^The body is not valid JSON at line 3, column 12\.$/);
    assert.doesNotMatch(answer.text, /hunter2/);
  }
});

test('a path of the other plane is reported as such, with its address if known; any other path is not', async () => {
  const onGateway = await call(planes.gatewayUrl, 'GET', `/v1/agents/${governed.agent.id}`);
  assert.deepEqual([onGateway.status, toError(onGateway).code], [404, 'NOT_FOUND']);
  assert.equal(toError(onGateway).message, 'This is the gateway; the control plane has this path.');
  const onControl = await call(planes.controlUrl, 'POST', '/gateway/v1/token?x=1', { body: {} });
  assert.match(toError(onControl).message, /^This is the control plane; the gateway has this path, at http:\/\/127\.0\.0\.1:\d+\.$/);
  for (const url of [planes.controlUrl, planes.gatewayUrl]) {
    const nowhere = toError(await call(url, 'GET', '/v1/no-such-thing'));
    assert.equal(nowhere.message, 'There is no page or endpoint at this address. All endpoints are listed at /docs.');
    assert.match(nowhere.remedy, /Check the path/);
  }
});

test('an unknown path is a page without scripts to a browser, like the others, and JSON to a program', async () => {
  for (const url of [planes.controlUrl, planes.gatewayUrl]) {
    const seen = await call(url, 'GET', '/no-such-place?<b>', { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
    assert.deepEqual([seen.status, seen.headers.get('content-type')], [404, 'text/html; charset=utf-8']);
    assert.match(seen.headers.get('content-security-policy') ?? '', /^default-src 'none'/);
    const [, style = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(seen.text) ?? [];
    assert.equal((await call(url, 'GET', style)).headers.get('content-type'), 'text/css; charset=utf-8');
    assert.match(seen.headers.get('content-security-policy') ?? '', /style-src 'self'/);
    assert.match(seen.text, /<h1>Page not found.*no page or endpoint at this address.*href="\/"/s);
    assert.ok(!seen.text.includes('<b>'));
    for (const accept of ['*/*', 'application/json', ''])
      assert.equal(toError(await call(url, 'GET', '/no-such-place', { headers: { accept } })).code, 'NOT_FOUND', accept);
  }
});

test('the remedy of a wrong method is to use another', async () => {
  const answer = await call(planes.controlUrl, 'PUT', '/v1/agents', { body: {} });
  assert.equal(answer.status, 405);
  assert.match(toError(answer).remedy, /method/);
});

test('a missing or malformed credential is answered with the scheme and what to send on this plane', async () => {
  const guess = { email: 'nobody@example.com', password: 'a guess' };
  const answers = [
    await call(planes.controlUrl, 'GET', '/v1/agents'),
    await call(planes.controlUrl, 'GET', '/v1/agents', { token: 'nonsense' }),
    await call(planes.controlUrl, 'POST', '/v1/auth/login', { body: guess }),
    await call(planes.gatewayUrl, 'POST', '/gateway/v1/actions', { body: {} }),
    await call(planes.gatewayUrl, 'POST', '/gateway/v1/actions', { body: {}, token: 'nonsense' }),
  ];
  for (const answer of answers) assert.deepEqual([answer.status, answer.headers.get('www-authenticate')], [401, 'Bearer'], answer.text);
  for (const answer of answers.slice(3)) {
    assert.doesNotMatch(toError(answer).remedy, /sign in/i);
    assert.match(toError(answer).remedy, /an agent token to the gateway/);
  }
  const fine = await call(planes.controlUrl, 'GET', '/v1/agents', { token: governed.tenant.token });
  assert.deepEqual([fine.status, fine.headers.get('www-authenticate')], [200, null]);
});

test('a token without the prefix Bearer is reported as such, and not repeated', async () => {
  const requests = [
    [planes.controlUrl, 'GET', '/v1/agents', governed.tenant.token],
    [planes.gatewayUrl, 'POST', '/gateway/v1/actions', governed.token],
    [planes.controlUrl, 'GET', '/v1/agents', 'Basic YTpi'],
  ] as const;
  for (const [url, method, path, authorization] of requests) {
    const answer = await call(url, method, path, { headers: { authorization } });
    assert.deepEqual([answer.status, toError(answer).code], [401, 'UNAUTHENTICATED']);
    assert.match(toError(answer).message, /must be "Bearer"/);
    assert.ok(!answer.text.includes(authorization));
  }
});
