import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { call } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import { getPlaneEnvironment, type Planes } from '@svc/testing/planes/start-planes.ts';
import { startProcess } from '@svc/testing/processes/start-process.ts';

let planes: Planes;
before(async () => {
  planes = await leasePlanes();
});
after(() => planes.stop());

test('gatewayLive and gatewayReady are public, and answer like those of the control plane', async () => {
  for (const base of [planes.gatewayUrl, planes.controlUrl]) {
    assert.deepEqual((await call(base, 'GET', '/health/live')).json, { status: 'ok', checks: { process: 'ok' } });
    const ready = await call(base, 'GET', '/health/ready');
    assert.deepEqual([ready.status, ready.json], [200, { status: 'ok', checks: { database: 'ok', clock: 'ok' } }]);
  }
});

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

test('gatewayRoot and controlRoot: the root of both planes shows a browser what it is and where to go, and a program the same as JSON', async () => {
  for (const [base, title] of [
    [planes.controlUrl, 'control plane'],
    [planes.gatewayUrl, 'gateway'],
  ] as const) {
    const page = await call(base, 'GET', '/', { headers: BROWSER });
    assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
    assert.match(page.text, new RegExp(`It runs, version \\S+. This is its <strong>${title}</strong>`));
    assert.match(page.text, /<meta name="viewport" content="width=device-width/);
    assert.equal(/href="\/overview".*<h2>/s.test(page.text), title === 'control plane', 'people are told first where they sign in');
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'; style-src 'self'/);
    assert.ok(!/<script|style=/.test(page.text));
    assert.match((await call(base, 'GET', '/root.css')).text, /prefers-color-scheme: dark/);
    const program = await call(base, 'GET', '/', { headers: { accept: '*/*' } });
    assert.deepEqual([program.status, program.headers.get('content-type')], [200, 'application/json; charset=utf-8']);
    const { docs, errors, openapi, ready, live } = program.json.links;
    for (const link of [docs, errors, openapi, ready, live]) {
      assert.equal((await call(base, 'GET', link)).status, 200, link);
      assert.ok(page.text.includes(`href="${link}"`), link);
    }
    for (const guide of program.json.guides) {
      // A gateway that does not know the address of the control plane names the files.
      if (base === planes.controlUrl) assert.equal((await call(base, 'GET', guide)).status, 200, guide);
      else assert.ok(existsSync(path.resolve(import.meta.dirname, '../../../..', guide)), guide);
      assert.ok(page.text.includes(guide), guide);
    }
    for (const { headers } of [page, program])
      assert.deepEqual([headers.get('vary'), headers.get('cache-control')], ['accept', 'public, max-age=300']);
    const head = await call(base, 'HEAD', '/', { headers: BROWSER });
    assert.equal(head.headers.get('content-length'), String(Buffer.byteLength(page.text)));
    assert.deepEqual([(await call(base, 'POST', '/')).status, (await call(base, 'GET', '/index.html')).status], [405, 404]);
  }
  const { json } = await call(planes.controlUrl, 'GET', '/');
  assert.equal(json.links.gateway, planes.gatewayUrl);
});

test('gatewayOpenapi, gatewayDocs and gatewayErrorsPage: both planes publish one key, and an OpenAPI 3.1 document with a page that loads nothing from elsewhere', async () => {
  for (const base of [planes.controlUrl, planes.gatewayUrl]) {
    const document = await call(base, 'GET', '/openapi.json');
    assert.match(document.json.openapi, /^3\.1/);
    const page = await call(base, 'GET', '/docs');
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    assert.match(page.text, /<meta name="viewport" content="width=device-width/);
    assert.match((await call(base, 'GET', '/docs/page.css')).text, /color-scheme: dark/);
    assert.match((await call(base, 'GET', '/docs/start.js')).text, /filter: true/);
    assert.match((await call(base, 'GET', '/docs/errors')).text, /<section id="ACTION_BLOCKED">/);
    const sources = [...page.text.matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');
    assert.ok(sources.length >= 4 && sources.every((source) => /^\/(docs\/|favicon\.svg$)/.test(source)), sources.join());
    for (const source of sources) assert.equal((await call(base, 'GET', source)).status, 200, source);
  }
});

test('gatewayOpenapi, gatewayDocs, controlErrorsPage and their files come compressed with Brotli or gzip, and are the same uncompressed', async () => {
  for (const base of [planes.controlUrl, planes.gatewayUrl])
    for (const path of ['/openapi.json', '/docs', '/docs/errors', '/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js']) {
      const ask = (encoding: string) => fetch(`${base}${path}`, { headers: { 'accept-encoding': encoding } });
      const [plain, gzip, brotli] = await Promise.all(['identity', 'gzip', 'gzip, deflate, br, zstd'].map(ask));
      const text = await plain?.text();
      assert.deepEqual(
        [plain, gzip, brotli].map((answer) => answer?.headers.get('content-encoding')),
        [null, 'gzip', 'br'],
        path,
      );
      assert.equal(brotli?.headers.get('vary'), 'accept-encoding', path);
      assert.ok(Number(brotli?.headers.get('content-length')) < (text?.length ?? 0) / (path === '/docs' ? 1.5 : 2.5), path);
      assert.equal(await gzip?.text(), text, path);
      assert.equal(await brotli?.text(), text, path);
    }
});

test('controlRoot and gatewayRoot serve the icon of all pages as SVG, and as ICO to programs that do not read pages', async () => {
  for (const base of [planes.controlUrl, planes.gatewayUrl]) {
    const [svg, ico] = await Promise.all(['/favicon.svg', '/favicon.ico'].map((path) => fetch(`${base}${path}`)));
    assert.deepEqual([svg?.status, svg?.headers.get('content-type')], [200, 'image/svg+xml']);
    assert.match((await svg?.text()) ?? '', /^<svg /);
    assert.deepEqual([ico?.status, ico?.headers.get('content-type')], [200, 'image/x-icon']);
    assert.deepEqual([...new Uint8Array((await ico?.arrayBuffer()) ?? new ArrayBuffer(0)).subarray(0, 4)], [0, 0, 1, 0]);
  }
});

test('reports an unavailable port, host or log in one sentence', async () => {
  const { port } = new URL(planes.gatewayUrl);
  const cases = [
    [{ GATEWAY_PORT: port }, `Port ${port} on 127.0.0.1 is in use by another program. Stop that program, or choose another port.`],
    [{ HOST: '192.0.2.1' }, 'HOST is "192.0.2.1", but this machine cannot listen on it. Set one of its addresses, or unset HOST.'],
    [
      { SVC_LOG_FILE: '/proc/gateway.log' },
      'The log file /proc/gateway.log cannot be written (ENOENT). Set SVC_LOG_FILE to a writable file, or unset it to log to standard error.',
    ],
  ] as const;
  for (const [env, sentence] of cases) {
    const starting = startProcess('apps/gateway/src/main.ts', getPlaneEnvironment(planes.database, env));
    await assert.rejects(starting, (error: Error) => error.message.endsWith(`ended with 1 before it was ready:\n${sentence}\n`));
  }
});
