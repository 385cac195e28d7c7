import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { mustCall } from '@svc/testing/people/client.ts';
import { newTenant, type Tenant } from '@svc/testing/people/tenant.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
let tenant: Tenant;

before(async () => {
  planes = await leasePlanes();
  tenant = await newTenant(planes);
});
after(() => planes.stop());

type Paths = Readonly<Record<string, Readonly<Record<string, object>>>>;

const documentOf = (paths: Paths, more: object = {}): string =>
  JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Shop', version: '7' },
    servers: [{ url: 'https://shop.example/v1' }],
    paths,
    ...more,
  });

const body = (schema: object) => ({ requestBody: { required: true, content: { 'application/json': { schema } } } });
const amount = { type: 'object', properties: { amount: { type: 'integer', nullable: true } }, required: ['amount'] };

const FIRST: Paths = {
  '/refunds': { post: { operationId: 'createRefund', ...body(amount) }, get: { operationId: 'listRefunds' } },
  '/refunds/{id}': { delete: { operationId: 'removeRefund' }, head: { operationId: 'peek' } },
};

const send = (method: string, path: string, sent?: object) =>
  mustCall(tenant.controlUrl, method, path, { token: tenant.token, body: sent });
const read = (source: string, document: string, more: object = {}) =>
  send('POST', '/v1/tool-imports', { environment_id: tenant.environment_id, source, document, ...more });

test('operations of a document become proposals with schema, destination, credential and risk, and each that cannot says why', async () => {
  const security = {
    security: [{ key: [] }],
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Shop-Key' } } },
  };
  const made = await read('shop', documentOf(FIRST, security));
  assert.deepEqual(
    [made.format, made.title, made.counts],
    ['OpenAPI 3.0.3', 'Shop', { total: 4, NEW: 3, CHANGED: 0, UNCHANGED: 0, GONE: 0, REFUSED: 1 }],
  );
  const { items } = await send('GET', `/v1/tool-imports/${made.id}/proposals`);
  const byKey = new Map<string, Record<string, unknown>>(items.map((item: { key: string }) => [item.key, item]));
  assert.match(String(byKey.get('peek')?.reason), /not called by HEAD/);
  const refund = await send('GET', `/v1/tool-imports/${made.id}/proposals/create_refund`);
  assert.deepEqual(refund.credentials, [{ scheme: 'HEADER', name: 'key', placement: { header: 'X-Shop-Key' }, scopes: [] }]);
  assert.deepEqual(
    [refund.name, refund.risk_rating, refund.dangerous, refund.destinations],
    ['shop.create_refund', 'HIGH', true, ['shop.example']],
  );
  assert.deepEqual(refund.declaration.execution, { method: 'POST', url: 'https://shop.example/v1/refunds', body: '{body}' });
  assert.deepEqual(refund.declaration.parameters_schema.properties.body.properties.amount.type, ['integer', 'null']);
  assert.equal(byKey.get('list_refunds')?.risk_rating, 'LOW');
});

test('what is chosen becomes tools under the permissions of whoever chooses, and what is refused keeps none of the others', async () => {
  const { id } = await read('part', documentOf(FIRST));
  await send('POST', '/v1/tools', {
    name: 'part.list_refunds',
    environment_id: tenant.environment_id,
    required_capability: 'x',
    kind: 'SDK',
  });
  const taken = await send('POST', `/v1/tool-imports/${id}/apply`, { keys: ['create_refund', 'list_refunds', 'peek', 'nothing'] });
  assert.deepEqual(
    taken.results.map(({ key, outcome, code }: Record<string, unknown>) => [key, outcome, code]),
    [
      ['create_refund', 'CREATED', null],
      ['list_refunds', 'REFUSED', 'ALREADY_EXISTS'],
      ['peek', 'REFUSED', 'UNPROCESSABLE'],
      ['nothing', 'REFUSED', 'NOT_FOUND'],
    ],
  );
  const tool = await send('GET', `/v1/tools/${taken.results[0].tool_id}`);
  assert.deepEqual([tool.name, tool.kind, tool.declaration_version], ['part.create_refund', 'HTTP', 1]);
  const events = await send('GET', `/v1/audit-events?subject_id=${tool.id}`);
  assert.deepEqual(
    events.data.map(({ type }: { type: string }) => type),
    ['tool.created'],
  );
  const again = await send('POST', `/v1/tool-imports/${id}/apply`, { keys: ['create_refund'] });
  assert.equal(again.results[0].outcome, 'UNCHANGED');
});
