import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ERROR_CODES, ERRORS, type ErrorCode } from '@svc/contract/tables/errors.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { newTenant } from '@svc/testing/people/tenant.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
before(async () => {
  planes = await leasePlanes();
});
after(() => planes.stop());

const refusals = async (): Promise<readonly (readonly [url: string, answer: TestResponse])[]> => {
  const { controlUrl, gatewayUrl } = planes;
  const { token } = await newTenant(planes);
  const made = [
    [controlUrl, call(controlUrl, 'GET', '/v1/agents')],
    [controlUrl, call(controlUrl, 'GET', '/v1/agents/agt_01J8Z3V7Q2N4M6K8P0R2T4W6Y8', { token })],
    [controlUrl, call(controlUrl, 'POST', '/v1/workspaces', { token, body: { names: 7 } })],
    [controlUrl, call(controlUrl, 'GET', '/nothing/here')],
    [controlUrl, call(controlUrl, 'GET', '/v1/%')],
    [gatewayUrl, call(gatewayUrl, 'POST', '/gateway/v1/actions', { body: {} })],
    [gatewayUrl, call(gatewayUrl, 'POST', '/gateway/v1/token', { body: {} })],
  ] as const;
  return Promise.all(made.map(async ([url, answer]) => [url, await answer] as const));
};

test('every error states the remedy and where it is explained, on both planes and for unreadable requests', async () => {
  for (const [url, { status, json }] of await refusals()) {
    assert.ok(status >= 400);
    const { code, remedy, docs_url } = json.error;
    assert.equal(remedy, ERRORS[code as ErrorCode].remedy, code);
    const address = new URL(docs_url, url);
    const page = await call(address.origin, 'GET', address.pathname);
    assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
    assert.ok(page.text.includes(`<section id="${address.hash.slice(1)}">`), docs_url);
    assert.equal(address.hash, `#${code}`);
  }
});

test('the page of codes explains each of them, and every address in the table of codes leads to its own section', async () => {
  const table = (await call(planes.controlUrl, 'GET', '/v1/meta/error-codes')).json;
  assert.deepEqual(
    table.map(({ code }: { code: string }) => code),
    ERROR_CODES,
  );
  for (const url of [planes.controlUrl, planes.gatewayUrl]) {
    const { text } = await call(url, 'GET', new URL(table[0].docs_url, url).pathname);
    const places = [...text.matchAll(/<section id="([A-Z0-9_]+)">/g)].map(([, id]) => id);
    assert.deepEqual(
      places,
      table.map(({ docs_url }: { docs_url: string }) => new URL(docs_url, url).hash.slice(1)),
    );
  }
});
