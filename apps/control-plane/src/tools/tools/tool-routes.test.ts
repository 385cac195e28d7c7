import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import type { TestResponse } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
before(async () => {
  planes = await leasePlanes();
});
after(() => planes.stop());

const route = (method: string, path: string, mapping = 'orders-api') => ({ mapping, method, path });

const setRoutes = (governed: Governed, routes: readonly object[], toolId = governed.tool.id): Promise<TestResponse> =>
  governed.owner('PUT', `/v1/tools/${toolId}/routes`, { routes, reason: 'test' });

const newRouted = async (routes: readonly object[] = [route('GET', '/orders/{order}'), route('POST', '/orders')]): Promise<Governed> => {
  const governed = await newGoverned(planes);
  const set = await setRoutes(governed, routes);
  assert.equal(set.status, 200, set.text);
  return governed;
};

test('setToolRoutes, getToolRoutes: refuses a route that another tool has, that is malformed, or of a tool that the gateway calls', async () => {
  const governed = await newRouted();
  const { environment_id } = governed.tenant;
  const declared = { name: 'other', environment_id, required_capability: 'pay', kind: 'SDK' };
  const other = (await governed.owner('POST', '/v1/tools', declared)).json;
  const taken = await setRoutes(governed, [route('GET', '/orders/{id}')], other.id);
  assert.deepEqual([taken.status, taken.json.error.details.tool], [409, 'pay']);
  for (const path of ['/a/../b', '/a//b', '/{a}/{a}', '/a?b', '/a%20b']) {
    const { status, json } = await setRoutes(governed, [route('GET', path)]);
    assert.deepEqual([status, json.error.details.faults[0].pointer], [400, '/routes/0/path'], path);
  }
  const twice = await setRoutes(governed, [route('GET', '/a/{b}'), route('GET', '/A/{c}')]);
  assert.equal(twice.json.error.details.faults[0].pointer, '/routes/1');
  const called = { ...declared, name: 'called', kind: 'HTTP', destination_allowlist: ['api.example.com'] };
  const http = (await governed.owner('POST', '/v1/tools', { ...called, execution: { method: 'GET', url: 'https://api.example.com/' } }))
    .json;
  assert.equal((await setRoutes(governed, [route('GET', '/x')], http.id)).status, 422);
  const { json } = await governed.owner('GET', `/v1/tools/${governed.tool.id}/routes`);
  assert.deepEqual(json.routes, [route('GET', '/orders/{order}'), route('POST', '/orders')]);
});

test('setToolRoutes lets one of two tools have a route that both are given at once', async () => {
  const governed = await newRouted([]);
  const declared = { environment_id: governed.tenant.environment_id, required_capability: 'pay', kind: 'SDK' };
  const tools = await Promise.all(
    Array.from({ length: 6 }, async (_, index) => (await governed.owner('POST', '/v1/tools', { ...declared, name: `t${index}` })).json),
  );
  const answers = await Promise.all(tools.map(({ id }) => setRoutes(governed, [route('GET', '/raced')], id)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409, 409]);
});
