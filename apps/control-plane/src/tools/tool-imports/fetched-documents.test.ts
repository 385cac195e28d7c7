import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { after, before, test } from 'node:test';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { buildDocument } from '@svc/testing/agents/new-tool-import.ts';
import { call } from '@svc/testing/people/client.ts';
import { newTenant } from '@svc/testing/people/tenant.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import { openToolImports } from './arriving/open-tool-imports.ts';

const { arrivingMax } = LIMITS.toolImports;

const json = (response: ServerResponse, text: string, type = 'application/json'): void => {
  response.writeHead(200, { 'content-type': type });
  response.end(text);
};

const drip = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 50);
  response.on('close', () => clearInterval(timer));
};

/** Claims to be small, and is not. */
const flood = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const more = (): void => {
    while (!response.destroyed && response.write(' '.repeat(1_048_576)));
  };
  response.on('drain', more);
  more();
};

/** Responses of an external server, by path. */
const ANSWERS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/shop.json': (response) => json(response, buildDocument('Shop')),
  '/plain.txt': (response) => json(response, buildDocument('Shop'), 'text/plain'),
  '/page.html': (response) => json(response, '<!doctype html><title>Sign in</title><p>Sign in first.', 'text/html'),
  '/moved': (response) => void response.writeHead(302, { location: '/shop.json' }).end(),
  '/gone': (response) => void response.writeHead(404).end(),
  '/flood': flood,
  '/drip': drip,
  '/cut': (response) => void response.writeHead(200, { 'content-length': '1000' }).write('{', () => response.destroy()),
};

let server: Server;
let at = '';
const asked: string[] = [];
before(async () => {
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://here');
    asked.push(url.pathname);
    (ANSWERS[url.pathname] ?? ANSWERS['/gone'])?.(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  at = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

test('a document is fetched from an address that the operator allows, of any media type, and its address is stored without possible secrets', async () => {
  const planes = await leasePlanes({ env: { GATEWAY_ALLOW_REAL_EGRESS: 'true', SVC_EGRESS_ALLOW_CIDRS: '127.0.0.0/8' } });
  try {
    const tenant = await newTenant(planes);
    const read = (path: string) => {
      const body = { environment_id: tenant.environment_id, source: 'shop', address: `${at}${path}` };
      return call(tenant.controlUrl, 'POST', '/v1/tool-imports', { token: tenant.token, body });
    };
    const made = await read('/shop.json?token=word');
    assert.ok(made.status < 300, made.text);
    assert.deepEqual([made.json.origin, made.json.address, made.json.title], ['ADDRESS', `${at}/shop.json`, 'Shop']);
    assert.deepEqual([made.json.counts.NEW, made.json.counts.REFUSED], [2, 1]);
    assert.equal((await read('/plain.txt')).json.title, 'Shop');
    const page = await read('/page.html');
    assert.deepEqual([page.status, page.json.error.details.faults[0].pointer], [400, '/address'], page.text);
    assert.ok(!page.text.includes('Sign in first'), 'nothing of what answered is told');
    const moved = await read('/moved');
    assert.match(moved.json.error.details.faults[0].message, /redirect, which is not followed/);
  } finally {
    await planes.stop();
  }
});

/** Opens the fetching of documents with less time for an external server. */
const newImports = () => openToolImports({ allowCidrs: ['127.0.0.0/8'], nameServers: [], fetchMs: 700 });

test('an address that redirects, floods, stalls, aborts or is empty is reported as such, without further requests', async () => {
  const imports = newImports();
  const before = asked.length;
  const readFault = async (path: string) => {
    const kept = await imports.fetch(`${at}${path}`, `org_${path}`, () => Promise.resolve('kept'));
    assert.ok(isRefusal(kept) && kept.refused === 'VALIDATION_FAILED', `${path}: ${JSON.stringify(kept)}`);
    return JSON.stringify(kept.details);
  };
  try {
    assert.match(await readFault('/moved'), /redirect, which is not followed/);
    assert.match(await readFault('/drip'), /did not answer within/);
    assert.match(await readFault('/cut'), /cannot be (reached|read)/);
    assert.match(await readFault('/gone'), /answers with the status 404/);
    assert.deepEqual(asked.slice(before), ['/moved', '/drip', '/cut', '/gone']);
  } finally {
    await imports.close();
  }
  const patient = openToolImports({ allowCidrs: ['127.0.0.0/8'], nameServers: [] });
  const flooded = await patient.fetch(`${at}/flood`, 'org_1', () => Promise.resolve('kept'));
  await patient.close();
  assert.match(JSON.stringify(flooded), /larger than 16777216 bytes/);
});

test('a fetched document holds its slot until it is read, so that the documents in memory are limited', async () => {
  const imports = openToolImports({ allowCidrs: ['127.0.0.0/8'], nameServers: [] });
  const before = asked.length;
  const ends: (() => void)[] = [];
  const fetched = Array.from({ length: arrivingMax + 1 }, (_, index) =>
    imports.fetch(`${at}/shop.json`, `org_${index}`, () => new Promise<string>((resolve) => ends.push(() => resolve('read')))),
  );
  try {
    await waitUntil('as many as may are being read', () => ends.length >= arrivingMax);
    // One that needs no slot passes meanwhile: the excess one would have been requested long before.
    assert.equal((await fetch(`${at}/plain.txt`)).status, 200);
    assert.equal(asked.slice(before).filter((path) => path === '/shop.json').length, arrivingMax);
    ends[0]?.();
    await waitUntil('the next is fetched', () => ends.length === arrivingMax + 1);
  } finally {
    for (const end of ends) end();
    await Promise.all(fetched);
    await imports.close();
  }
  assert.equal(asked.slice(before).filter((path) => path === '/shop.json').length, arrivingMax + 1);
});
