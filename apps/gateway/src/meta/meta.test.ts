import assert from 'node:assert/strict';
import { createPublicKey } from 'node:crypto';
import { after, before, test } from 'node:test';
import { call } from '@svc/testing/client.ts';
import { type Planes, startPlanes } from '@svc/testing/start-planes.ts';

let planes: Planes;
before(async () => {
  planes = await startPlanes();
});
after(() => planes.stop());

test('gatewayLive and gatewayReady answer nobody in particular', async () => {
  assert.deepEqual((await call(planes.gatewayUrl, 'GET', '/health/live')).json, { status: 'live' });
  const ready = await call(planes.gatewayUrl, 'GET', '/health/ready');
  assert.equal(ready.status, 200);
  assert.deepEqual(ready.json.checks, { database: 'ok', clock: 'ok' });
});

test('getPlatformKey publishes an Ed25519 key, its id and the audience, to be kept for five minutes', async () => {
  const { status, headers, json } = await call(planes.gatewayUrl, 'GET', '/.well-known/svc-platform-key');
  assert.equal(status, 200);
  assert.equal(headers.get('cache-control'), 'public, max-age=300');
  assert.equal(json.audience, planes.gatewayUrl);
  const key = createPublicKey({ key: Buffer.from(json.public_key, 'base64'), format: 'der', type: 'spki' });
  assert.equal(key.asymmetricKeyType, 'ed25519');
  assert.equal(json.keys[0].key_id, json.key_id);
  assert.equal(json.keys[0].jwk.x, key.export({ format: 'jwk' }).x);
});

test('both planes publish one key, and an OpenAPI 3.1 document with a page that fetches nothing from elsewhere', async () => {
  for (const base of [planes.controlUrl, planes.gatewayUrl]) {
    const document = await call(base, 'GET', '/openapi.json');
    assert.match(document.json.openapi, /^3\.1/);
    const page = await call(base, 'GET', '/docs');
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    const sources = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');
    assert.ok(sources.length >= 3 && sources.every((source) => source.startsWith('/docs/')), sources.join());
    for (const source of sources) assert.equal((await call(base, 'GET', source)).status, 200, source);
  }
});
