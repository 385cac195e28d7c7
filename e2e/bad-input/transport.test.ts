import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';
import { exchange, getAnswer, parseAnswers, sendRaw } from './raw.ts';
import { assertAssertFault, assertRefused, assertStoresNothing } from './refusals.ts';

let planes: Planes;
let governed: Governed;
let owner: pg.Client;
before(async () => {
  planes = await leasePlanes();
  governed = await newGoverned(planes);
  owner = await planes.database.client();
});
after(async () => {
  await owner.end();
  await planes.stop();
});

const authorization = () => `authorization: Bearer ${governed.tenant.token}`;

describe('malformed bytes', () => {
  const GARBAGE = [
    'nonsense\r\n\r\n',
    'GET\r\n\r\n',
    'GET / HTTP/9.9\r\nhost: x\r\n\r\n',
    'GET / HTTP/1.1\r\nhost: x\r\nbad header\r\n\r\n',
    'GET / HTTP/1.1\r\nhost: x\r\n: empty\r\n\r\n',
    'GET / HTTP/1.1\r\nhost: x\r\na\u0000b: c\r\n\r\n',
    'GET / HTTP/1.1\nhost: x\n folded: x\n\n',
    'POST /nowhere HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n',
    'POST /nowhere HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
    'POST /nowhere HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    'POST /nowhere HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
    'POST /nowhere HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked, identity\r\n\r\n',
    `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
    `GET /${'y'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
    '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  ];

  test('get the standard error and the connection is closed, on both planes', () =>
    assertStoresNothing(owner, async () => {
      for (const base of [planes.controlUrl, planes.gatewayUrl]) {
        for (const bytes of GARBAGE) {
          const answers = parseAnswers(await exchange(base, bytes));
          const what = JSON.stringify(bytes.slice(0, 60));
          for (const answer of answers) assertRefused(answer, ['INVALID_REQUEST', 'NOT_FOUND'], what);
          assertRefused(answers.at(-1) ?? getAnswer(''), 'INVALID_REQUEST', what);
          assert.equal(answers.at(-1)?.headers.get('connection'), 'close', what);
        }
      }
    }));

  test('a request in two parts, or with another hidden behind its end, is one request', async () => {
    const hidden = 'GET /v1/organization HTTP/1.1\r\nhost: x\r\n\r\n';
    const head = ['POST /v1/auth/login HTTP/1.1', 'host: x', 'content-type: application/json', 'content-length: 2', ''];
    const text = await exchange(planes.controlUrl, `${head.join('\r\n')}\r\n{}${hidden}`);
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    assert.deepEqual(statuses, ['400', '401'], 'what follows is a request of its own, and nobody is signed in to it');
  });

  test('a request without a host is refused, and an unknown expectation is ignored', async () => {
    assertRefused(await sendRaw(planes.controlUrl, ['GET /v1/meta/error-codes HTTP/1.1']), 'INVALID_REQUEST', 'no host');
    assert.equal(
      (await sendRaw(planes.controlUrl, ['GET /v1/meta/error-codes HTTP/1.1', 'host: x', 'expect: the-unexpected'])).status,
      200,
    );
  });
});

describe('a header', () => {
  test('refuses a request with two Host headers on both planes, whether they differ or not', async () => {
    for (const base of [planes.controlUrl, planes.gatewayUrl]) {
      const line = 'GET /health/live HTTP/1.1';
      assertRefused(await sendRaw(base, [line, 'host: a.example', 'Host: b.example']), 'INVALID_REQUEST', 'two hosts');
      assertRefused(await sendRaw(base, [line, 'host: a.example', 'host: a.example']), 'INVALID_REQUEST', 'the same host twice');
    }
  });

  test('for authorization that occurs twice is refused, in any order and form', async () => {
    const session = (...headers: string[]) => sendRaw(planes.controlUrl, ['GET /v1/auth/session HTTP/1.1', 'host: x', ...headers]);
    assertRefused(await session('authorization: Bearer x', authorization()), 'INVALID_REQUEST', 'wrong first');
    assertRefused(await session(authorization(), 'AUTHORIZATION: Bearer x'), 'INVALID_REQUEST', 'right first');
    assertRefused(await session(authorization(), authorization()), 'INVALID_REQUEST', 'the same twice');
    assert.equal((await session(authorization(), 'proxy-authorization: Bearer x')).status, 200);
    const twice = [`authorization: Bearer ${governed.token}`, 'authorization: Bearer x', 'content-type: application/json'];
    assertRefused(
      await sendRaw(planes.gatewayUrl, ['POST /gateway/v1/actions HTTP/1.1', 'host: x', ...twice, 'content-length: 2'], '{}'),
      'INVALID_REQUEST',
      'at the gateway',
    );
    for (const odd of [
      `Basic ${btoa(`x:${governed.tenant.token}`)}`,
      `bearer: ${governed.tenant.token}`,
      `Bearer ${governed.tenant.token},x`,
      'Bearer',
      'Bearer  ',
      `Bearer\t${governed.tenant.token}`,
      `Token ${governed.tenant.token}`,
      `Bearer ${'x'.repeat(5_000)}`,
    ]) {
      assertRefused(await session(`authorization: ${odd}`), 'UNAUTHENTICATED', odd.slice(0, 20));
    }
  });

  test('other than authorization authenticates no caller: no cookie, no query, no proxy header', async () => {
    const { token } = governed.tenant;
    const headers = {
      cookie: `token=${token}; session=${token}`,
      'x-api-key': token,
      'x-forwarded-user': 'admin',
      'proxy-authorization': `Bearer ${token}`,
    };
    assertRefused(await call(planes.controlUrl, 'GET', '/v1/agents', { headers }), 'UNAUTHENTICATED', 'headers');
    assertRefused(await call(planes.controlUrl, 'GET', `/v1/agents?token=${token}&access_token=${token}`), 'UNAUTHENTICATED', 'query');
  });

  test('never chooses a tenant or another method', async () => {
    const headers = {
      'x-svc-organization': 'org_x',
      'x-organization-id': 'org_x',
      'x-http-method-override': 'DELETE',
      'x-original-url': '/v1/api-keys',
      'x-rewrite-url': '/v1/api-keys',
    };
    const { token, organization_id } = governed.tenant;
    const answer = await call(planes.controlUrl, 'GET', '/v1/organization', { token, headers });
    assert.equal(answer.json.id, organization_id);
  });

  test('that narrows the scope is never ignored: an empty, double or foreign one is refused', async () => {
    const { token, workspace_id, environment_id } = governed.tenant;
    for (const name of ['x-svc-workspace', 'x-svc-environment']) {
      for (const value of ['', 'x', '*', `${workspace_id},${environment_id}`, 'wsp_7ZZZZZZZZZZZZZZZZZZZZZZZZZ', governed.agent.id]) {
        const answer = await call(planes.controlUrl, 'GET', '/v1/agents', { token, headers: { [name]: value } });
        assertRefused(answer, 'TENANT_MISMATCH', `${name}: ${value}`);
      }
    }
    const twice = [`x-svc-workspace: ${workspace_id}`, `x-svc-workspace: ${workspace_id}`];
    assertRefused(
      await sendRaw(planes.controlUrl, ['GET /v1/agents HTTP/1.1', 'host: x', authorization(), ...twice]),
      'TENANT_MISMATCH',
      'twice',
    );
  });

  test('with a malformed Idempotency-Key is refused instead of ignored', () =>
    assertStoresNothing(owner, async () => {
      const body = JSON.stringify({ name: 'Never made' });
      const json = ['host: x', authorization(), 'content-type: application/json', `content-length: ${body.length}`, 'connection: close'];
      const create = (...keys: string[]) =>
        sendRaw(planes.controlUrl, ['POST /v1/workspaces HTTP/1.1', ...json, ...keys.map((key) => `idempotency-key: ${key}`)], body);
      for (const keys of [[''], ['a b'], ['a\tb'], ['é'], ['x'.repeat(256)], ['a', 'a'], ['a', 'b']]) {
        assertRefused(await create(...keys), 'INVALID_REQUEST', JSON.stringify(keys));
      }
      const act = await call(planes.gatewayUrl, 'POST', '/gateway/v1/actions', {
        token: governed.token,
        headers: { 'idempotency-key': 'a b' },
        body: { tool: 'pay' },
      });
      assertRefused(act, 'INVALID_REQUEST', 'at the gateway');
      assert.match(act.json.error.message, /Idempotency-Key/);
    }));

  test('for traces is accepted only in its one form, and the request id never comes from outside', async () => {
    const ask = async (traceparent: string) =>
      (
        await call(planes.controlUrl, 'GET', '/v1/meta/error-codes', {
          headers: { traceparent, 'x-request-id': 'mine', 'x-trace-id': 'mine' },
        })
      ).headers;
    const good = 'a'.repeat(32);
    assert.equal((await ask(`00-${good}-${'b'.repeat(16)}-01`)).get('x-trace-id'), good);
    for (const bad of [
      '',
      'x',
      `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`,
      `00-${'A'.repeat(32)}-${'b'.repeat(16)}-01`,
      `00-${good}-${'b'.repeat(16)}-01-more`,
    ]) {
      const headers = await ask(bad);
      assert.match(headers.get('x-trace-id') ?? '', /^[0-9a-f]{32}$/);
      assert.notEqual(headers.get('x-trace-id'), good);
      assert.match(headers.get('x-request-id') ?? '', /^req_/);
    }
  });
});

describe('a path or method', () => {
  test('that no row has is not found, in any form, and nothing is served from the disk', () =>
    assertStoresNothing(owner, async () => {
      const paths = [
        '/v1',
        '/v1/',
        '/v1/agents/',
        '//v1/agents',
        '/v1//agents',
        '/V1/agents',
        '/v1/Agents',
        '/v1/%61gents/',
        '/v1/agents;x=1',
        '/v1/./agents',
        '/v1/../v1/agents',
        '/..%2f..%2fetc/passwd',
        '/docs/../../package.json',
        '/docs/%2e%2e/%2e%2e/package.json',
        '/docs/..%5cpackage.json',
        '/setup/page/app.js',
        '/setup/%2e%2e/main.ts',
        '/.env',
        '/openapi.json/',
        '/gateway/v1/actions',
        '/metrics',
        '/debug/pprof',
      ];
      for (const path of paths) {
        for (const method of ['GET', 'POST']) {
          assertRefused(
            await sendRaw(planes.controlUrl, [`${method} ${path} HTTP/1.1`, 'host: x', authorization(), 'connection: close']),
            'NOT_FOUND',
            path,
          );
        }
      }
      assertRefused(
        await sendRaw(planes.controlUrl, ['GET /v1/agents/%zz HTTP/1.1', 'host: x', authorization()]),
        'INVALID_REQUEST',
        '%zz',
      );
    }));

  test('HEAD is answered without a body, and wrong methods with one, so that the next response is framed correctly', async () => {
    for (const base of [planes.controlUrl, planes.gatewayUrl]) {
      const asked = ['HEAD /health/ready', 'TRACE /health/ready', 'HEAD /v1/nothing', 'GET /health/live'];
      const text = await exchange(base, asked.map((line) => `${line} HTTP/1.1\r\nhost: x\r\n\r\n`).join(''));
      const [ready = '', traced = '', nothing = '', live = ''] = text.split(/(?=HTTP\/1\.1 )/);
      assert.match(ready, /^HTTP\/1\.1 200 .*content-length: \d{2,}.*\r\n\r\n$/is);
      assert.match(traced, /^HTTP\/1\.1 405 .*allow: GET, HEAD, OPTIONS\r\n.*INVALID_REQUEST.*}$/is);
      assert.match(nothing, /^HTTP\/1\.1 404 .*\r\n\r\n$/s);
      assert.match(live, /^HTTP\/1\.1 200 .*}$/s);
    }
  });

  test('in its absolute form reaches no other host', async () => {
    const answer = await sendRaw(planes.controlUrl, [
      'GET http://example.com/v1/meta/error-codes HTTP/1.1',
      'host: example.com',
      'connection: close',
    ]);
    assert.equal(answer.status, 200, answer.text);
  });
});

describe('a query', () => {
  test('with the wrong structure is refused with its pointer', async () => {
    const { token } = governed.tenant;
    const cases: readonly (readonly [string, string])[] = [
      ['limit=0', '/limit'],
      ['limit=-1', '/limit'],
      ['limit=201', '/limit'],
      ['limit=1.5', '/limit'],
      ['limit=x', '/limit'],
      ['limit=', '/limit'],
      ['limit=1&limit=2', '/limit'],
      ['limit[]=1', '/limit[]'],
      ['limit[a]=1', '/limit[a]'],
      ['offset=-1', '/offset'],
      ['offset=1e99', '/offset'],
      ['status=active', '/status'],
      ['status=ACTIVE&status=PAUSED', '/status'],
      ['q=a&q=b', '/q'],
      [`q=${'x'.repeat(121)}`, '/q'],
      ['q=%00', '/q'],
      ['__proto__=1', '/__proto__'],
      ['constructor=1', '/constructor'],
      ['toString=1', '/toString'],
      ['a~b/c=1', '/a~0b~1c'],
    ];
    for (const [query, pointer] of cases) {
      assertAssertFault(await call(planes.controlUrl, 'GET', `/v1/agents?${query}`, { token }), pointer, query);
    }
    for (const query of ['from=2026-02-30T00:00:00.000Z', 'from=0000-01-01T00:00:00.000Z', 'from=now', 'from=2026-01-01', 'from=']) {
      for (const list of ['actions', 'audit-events']) {
        assertAssertFault(await call(planes.controlUrl, 'GET', `/v1/${list}?${query}`, { token }), '/from', query);
      }
    }
    for (const cursor of ['x', '', 'eyJhZnRlciI6ImFjdF8ifQ', `${'a'.repeat(40)}.${'b'.repeat(43)}`]) {
      assertAssertFault(await call(planes.controlUrl, 'GET', `/v1/actions?cursor=${cursor}`, { token }), '/cursor', cursor);
    }
    const { policyId } = governed;
    for (const query of ['', 'from=1', 'from=0&to=1', 'from=1&to=x', 'from=1&to=1e99']) {
      assertRefused(await call(planes.controlUrl, 'GET', `/v1/policies/${policyId}/diff?${query}`, { token }), 'VALIDATION_FAILED', query);
    }
  });

  test('that is not accepted is refused, and so is an unexpected body', async () => {
    const { token } = governed.tenant;
    assertAssertFault(
      await call(planes.controlUrl, 'POST', '/v1/workspaces?name=x', { token, body: { name: 'x' } }),
      '/name',
      'query of a POST',
    );
    assertAssertFault(
      await call(planes.gatewayUrl, 'POST', '/gateway/v1/actions?dry_run=true', { token: governed.token, body: { tool: 'pay' } }),
      '/dry_run',
      'gateway',
    );
    const path = `/v1/tools/${governed.tool.id}/agents/${governed.agent.id}`;
    assertAssertFault(await call(planes.controlUrl, 'DELETE', path, { token, body: { dry_run: true } }), '/dry_run', 'body of a DELETE');
  });
});

describe('a content type', () => {
  test('other than JSON is refused, also if the bytes are JSON', () =>
    assertStoresNothing(owner, async () => {
      const types = [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/xml',
        'text/json',
        'application/jsonp',
        'application/json-seq',
        '',
        '*/*',
        'json',
        'application/octet-stream',
      ];
      for (const type of types) {
        const answer = await call(planes.gatewayUrl, 'POST', '/gateway/v1/actions', {
          token: governed.token,
          raw: '{"tool":"pay"}',
          headers: { 'content-type': type },
        });
        assertRefused(answer, 'INVALID_REQUEST', type);
      }
    }));

  test('does not define the bytes: a compressed body or one that is no UTF-8 is not read as something else', () =>
    assertStoresNothing(owner, async () => {
      const act = (bytes: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
        call(planes.gatewayUrl, 'POST', '/gateway/v1/actions', { token: governed.token, raw: bytes, headers });
      const gzip = new Uint8Array(
        await new Response(new Blob(['{"tool":"pay"}']).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer(),
      );
      assertRefused(await act(gzip, { 'content-encoding': 'gzip' }), 'INVALID_REQUEST', 'gzip');
      const broken = [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf4, 0x90, 0x80, 0x80]];
      for (const bytes of broken) {
        const body = Buffer.concat([Buffer.from('{"tool":"pay","parameters":{"a":"'), Buffer.from(bytes), Buffer.from('"}}')]);
        assertRefused(await act(new Uint8Array(body)), 'INVALID_REQUEST', bytes.join());
      }
      const wide = new Uint8Array(Buffer.from('{"tool":"pay"}', 'utf16le'));
      assertRefused(await act(wide, { 'content-type': 'application/json; charset=utf-16' }), 'INVALID_REQUEST', 'UTF-16');
    }));
});
