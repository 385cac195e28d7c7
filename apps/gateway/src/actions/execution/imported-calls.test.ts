import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { OAUTH_ENV } from '@svc/testing/agents/oauth-scene.ts';
import { type KeyedService, startKeyedService } from '@svc/testing/peers/keyed-service.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
let governed: Governed;
let service: KeyedService;
before(async () => {
  [planes, service] = await Promise.all([leasePlanes({ env: OAUTH_ENV }), startKeyedService()]);
  governed = await newGoverned(planes);
});
after(async () => {
  await Promise.all([service.close(), planes.stop()]);
});

const TEXT = { type: 'string' };
const ORDER = {
  type: 'object',
  required: ['customer'],
  properties: {
    customer: TEXT,
    metadata: { type: 'object', additionalProperties: TEXT },
    items: { type: 'array', items: { type: 'object', required: ['sku'], properties: { sku: TEXT, count: { type: 'integer' } } } },
  },
};
const FORM = 'application/x-www-form-urlencoded';
const SECRETS = { 'X-Api-Key': 'first-secret-value', 'X-App-Id': 'second-secret-value' } as const;

const writeDocument = () => ({
  openapi: '3.1.0',
  servers: [{ url: `http://${service.host}/v1` }],
  security: [{ key: [], app: [] }],
  components: {
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
      app: { type: 'apiKey', in: 'header', name: 'X-App-Id' },
    },
  },
  paths: {
    '/forms': { post: { operationId: 'sendForm', requestBody: { required: true, content: { [FORM]: { schema: ORDER } } } } },
    '/documents': { post: { operationId: 'sendDocument', requestBody: { content: { 'application/json': { schema: ORDER } } } } },
  },
});

const post = (path: string, body: object) => mustCall(governed.tenant.controlUrl, 'POST', path, { token: governed.tenant.token, body });
const get = (path: string) => mustCall(governed.tenant.controlUrl, 'GET', path, { token: governed.tenant.token });

type Extra = { readonly in: string; readonly name: keyof typeof SECRETS };

/** Imports the document, stores the credential that it proposes, and authorizes the agent for the tools. */
const importTools = async () => {
  const { environment_id } = governed.tenant;
  const made = await post('/v1/tool-imports', { environment_id, source: 'shop', document: JSON.stringify(writeDocument()) });
  const { items } = await get(`/v1/tool-imports/${made.id}/proposals`);
  const [wanted] = items[0].credentials;
  const stored = await post('/v1/credentials', {
    ...{ name: 'shop', environment_id, destinations: [service.host], tools: items.map((item: { name: string }) => item.name) },
    ...{ scheme: wanted.scheme, placement: wanted.placement, secret: SECRETS['X-Api-Key'] },
    extras: wanted.extras.map((extra: Extra) => ({ ...extra, secret: SECRETS[extra.name] })),
  });
  const taken = await post(`/v1/tool-imports/${made.id}/apply`, { states: ['NEW'], credential_id: stored.id });
  assert.equal(taken.counts.CREATED, 2, JSON.stringify(taken));
  for (const { tool_id } of taken.results) {
    const { required_capability } = await get(`/v1/tools/${tool_id}`);
    await governed.owner('POST', `/v1/agents/${governed.agent.id}/capabilities`, { capability: required_capability });
    await post(`/v1/tools/${tool_id}/agents`, { agent_id: governed.agent.id });
  }
};

test('an imported tool sends nested bodies, and both keys that its document requires', async () => {
  await importTools();
  const order = { customer: 'c', metadata: { 'a&b': '1' }, items: [{ sku: 'x', count: 2 }, { sku: 'y' }] };
  const act = async (tool: string, parameters: object) => {
    service.answer((_taken, response) => response.end('{}'));
    const answer = await governed.act({ tool, parameters });
    return { answer, taken: service.taken[0] };
  };
  const form = await act('shop.send_form', order);
  assert.equal(form.answer.json.status, 'COMPLETED', form.answer.text);
  assert.deepEqual(
    [...new URLSearchParams(form.taken?.body)],
    [
      ['customer', 'c'],
      ['metadata[a&b]', '1'],
      ['items[0][sku]', 'x'],
      ['items[0][count]', '2'],
      ['items[1][sku]', 'y'],
    ],
  );
  const document = await act('shop.send_document', { body: order });
  assert.deepEqual(JSON.parse(document.taken?.body ?? ''), order);
  const empty = await act('shop.send_document', {});
  assert.deepEqual([empty.answer.json.status, empty.taken?.body], ['COMPLETED', '']);
  for (const { taken } of [form, document, empty])
    assert.deepEqual([taken?.headers['x-api-key'], taken?.headers['x-app-id']], Object.values(SECRETS));
  const refused = await act('shop.send_form', { customer: 'c', metadata: { 'a][customer': 'other' } });
  assert.deepEqual([refused.answer.status, refused.taken], [400, undefined], refused.answer.text);
  assert.match(refused.answer.text, /without brackets/);
});
