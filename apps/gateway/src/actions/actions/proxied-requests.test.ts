import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';

let planes: Planes;
before(async () => {
  planes = await leasePlanes();
});
after(() => planes.stop());

const reason = 'test';
const RULES = [
  { id: 'read', effect: 'ALLOW', reason: 'Orders can be read.', when: { field: 'parameters.method', op: 'eq', value: 'GET' } },
  { id: 'pay', effect: 'ALLOW', reason: 'Small orders.', when: { field: 'parameters.body.amount', op: 'lt', value: 100 } },
  { id: 'hold', effect: 'REQUIRE_APPROVAL', reason: 'A person looks.', when: { field: 'parameters.body.amount', op: 'gte', value: 100 } },
  { id: 'secret', effect: 'BLOCK', reason: 'Größe „x“ is secret.', when: { field: 'parameters.query.view', op: 'eq', value: 'all' } },
];
const TESTS = [{ name: 'read', given: { parameters: { method: 'GET' } }, then: { effect: 'ALLOW' } }];

const route = (method: string, path: string, mapping = 'orders-api') => ({ mapping, method, path });

const setRoutes = (governed: Governed, routes: readonly object[], toolId = governed.tool.id): Promise<TestResponse> =>
  governed.owner('PUT', `/v1/tools/${toolId}/routes`, { routes, reason });

const newRouted = async (routes: readonly object[] = [route('GET', '/orders/{order}'), route('POST', '/orders')]): Promise<Governed> => {
  const governed = await newGoverned(planes, { rules: RULES, tests: TESTS });
  const set = await setRoutes(governed, routes);
  assert.equal(set.status, 200, set.text);
  return governed;
};

type Sent = { readonly method?: string; readonly body?: unknown; readonly headers?: Record<string, string>; readonly token?: string };

/** Asks like a proxy that appends the path of the request to that of the mapping. */
const ask = async ({ token }: Governed, target: string, { method = 'GET', body, headers = {}, token: other }: Sent = {}) => {
  const response = await fetch(`${planes.gatewayUrl}/gateway/v1/ext-authz/orders-api${target}`, {
    method,
    headers: {
      authorization: `Bearer ${other ?? token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, json: text === '' ? undefined : JSON.parse(text) };
};

/** Asks like a proxy that states the request in headers. */
const askByHeaders = async ({ token }: Governed, headers: Record<string, string>) => {
  const response = await fetch(`${planes.gatewayUrl}/gateway/v1/ext-authz/orders-api`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
  return { status: response.status, code: response.headers.get('x-svc-code') };
};

test('authorizeProxiedRequest decides a request as a call of the tool whose route it matches', async () => {
  const governed = await newRouted();
  const read = await ask(governed, '/orders/o-1?expand=lines');
  assert.deepEqual(
    [read.status, read.json.decision, read.json.context.reason],
    [200, true, 'Orders can be read.'],
    JSON.stringify(read.json),
  );
  assert.deepEqual([read.headers.get('x-svc-code'), read.headers.get('x-svc-agent-id')], ['ALLOWED', governed.agent.id]);
  const action = (await governed.owner('GET', `/v1/actions/${read.headers.get('x-svc-action-id')}`)).json;
  assert.deepEqual([action.tool, action.parameters], ['pay', { method: 'GET', path: { order: 'o-1' }, query: { expand: 'lines' } }]);

  const paid = await ask(governed, '/orders', { method: 'POST', body: { amount: 5 } });
  assert.equal(paid.status, 200, JSON.stringify(paid.json));
});

test('authorizeProxiedRequest explains a denial in headers and body', async () => {
  const governed = await newRouted();
  const denied = await ask(governed, '/orders/o-1?view=all');
  assert.deepEqual([denied.status, denied.json.error.code, denied.json.error.message], [403, 'ACTION_BLOCKED', 'Größe „x“ is secret.']);
  assert.equal(decodeURIComponent(denied.headers.get('x-svc-reason') ?? ''), 'Größe „x“ is secret.');
  assert.match(denied.headers.get('x-svc-action-id') ?? '', /^act_/);
});

test('authorizeProxiedRequest refuses and records a request that matches no route', async () => {
  const governed = await newRouted();
  for (const [target, method] of [
    ...[['/orders', 'GET'] as const, ['/orders/o-1', 'DELETE'] as const, ['/Orders/o-1', 'GET'] as const, ['/', 'GET'] as const],
    ...[['/orders/o-1', 'OPTIONS'] as const, ['/orders/o-1', 'HEAD'] as const],
  ]) {
    const { status, headers } = await ask(governed, target, { method });
    assert.deepEqual([status, headers.get('x-svc-code')], [404, 'NOT_FOUND'], `${method} ${target}`);
    const action = await governed.owner('GET', `/v1/actions/${headers.get('x-svc-action-id')}`);
    assert.equal(action.json.status, 'BLOCKED', action.text);
  }
  const foreign = await newRouted([]);
  assert.equal((await ask(foreign, '/orders/o-1')).status, 404);
});

test('authorizeProxiedRequest refuses targets that servers read differently', async () => {
  const governed = await newRouted([route('GET', '/{any}'), route('GET', '/{any}/{other}')]);
  assert.equal((await ask(governed, '/orders/o-1')).status, 200);
  for (const target of ['/orders/o%2f1', '/orders/%2e%2e%2f', '/orders;a=1/o-1', '/orders//', '/orders/%252e', '/a%00b', '/a?b=1;c=2'])
    assert.equal((await ask(governed, target)).status, 400, target);
});

test('authorizeProxiedRequest refuses a partial body, a body that is not JSON, and a body of GET', async () => {
  const governed = await newRouted();
  const partial = await ask(governed, '/orders', { method: 'POST', body: { amount: 5 }, headers: { 'x-envoy-auth-partial-body': 'true' } });
  assert.equal(partial.status, 400);
  const form = await fetch(`${planes.gatewayUrl}/gateway/v1/ext-authz/orders-api/orders`, {
    method: 'POST',
    headers: { authorization: `Bearer ${governed.token}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'amount=5',
  });
  assert.equal(form.status, 400);
  const without = await ask(governed, '/orders', { method: 'POST' });
  assert.equal(without.headers.get('x-svc-code'), 'ACTION_BLOCKED');
});

test('authorizeProxiedRequest takes the request of headers, and answers 403 to what a proxy does not know', async () => {
  const governed = await newRouted();
  const original = (method: string, uri: string) => ({ 'x-original-method': method, 'x-original-uri': uri });
  assert.deepEqual(await askByHeaders(governed, original('GET', '/orders/o-1')), { status: 200, code: 'ALLOWED' });
  assert.deepEqual(await askByHeaders(governed, original('DELETE', '/orders/o-1')), { status: 403, code: 'NOT_FOUND' });
  assert.deepEqual(await askByHeaders(governed, original('GET', '/orders/..')), { status: 403, code: 'VALIDATION_FAILED' });
  assert.deepEqual(await askByHeaders(governed, {}), { status: 403, code: 'VALIDATION_FAILED' });
  // With a path, headers of a client name nothing.
  const forged = await ask(governed, '/orders/o-1', { method: 'DELETE', headers: original('GET', '/orders/o-1') });
  assert.equal(forged.status, 404);
});

test('authorizeProxiedRequest needs the token of an agent, in both forms', async () => {
  const governed = await newRouted();
  const { status, headers } = await ask(governed, '/orders/o-1', { token: 'wrong' });
  assert.deepEqual([status, headers.get('x-svc-code'), headers.get('www-authenticate')], [401, 'UNAUTHENTICATED', 'Bearer']);
  const answer = await fetch(`${planes.gatewayUrl}/gateway/v1/ext-authz/orders-api/orders/o-1`);
  assert.equal(answer.status, 401);
});

test('authorizeProxiedRequest lets an approved request through once, when it is repeated', async () => {
  const governed = await newRouted();
  const large = { method: 'POST', body: { amount: 500 } };
  const [held, again] = [await ask(governed, '/orders', large), await ask(governed, '/orders', large)];
  const approvalId = held.json.error.details.approval_id;
  assert.deepEqual([held.json.error.code, again.json.error.details.approval_id], ['APPROVAL_REQUIRED', approvalId]);
  const database = await planes.database.client();
  const approver = await insertPerson(database, governed.tenant.organization_id, 'approver');
  await database.end();
  const approved = await call(planes.controlUrl, 'POST', `/v1/approvals/${approvalId}/approve`, { token: approver.token, body: {} });
  assert.equal(approved.status, 200, approved.text);
  assert.equal((await ask(governed, '/orders', { method: 'POST', body: { amount: 501 } })).json.error.code, 'APPROVAL_REQUIRED');
  assert.equal((await ask(governed, '/orders', large)).status, 200);
  assert.equal((await ask(governed, '/orders', large)).json.error.code, 'APPROVAL_REQUIRED');
});

test('authorizeProxiedRequest follows a change of routes with the next request', async () => {
  const governed = await newRouted();
  const { tenant, agent } = governed;
  const declared = { name: 'read', environment_id: tenant.environment_id, required_capability: 'pay', kind: 'SDK' };
  const other = (await governed.owner('POST', '/v1/tools', declared)).json;
  for (let turn = 0; turn < 10; turn += 1) {
    assert.equal((await ask(governed, '/orders/o-1')).status, 200);
    await setRoutes(governed, []);
    assert.equal((await setRoutes(governed, [route('GET', '/orders/{order}')], other.id)).status, 200);
    // The other tool was not authorized for the agent.
    assert.equal((await ask(governed, '/orders/o-1')).json.error.code, 'TOOL_NOT_AUTHORIZED');
    await setRoutes(governed, [], other.id);
    await setRoutes(governed, [route('GET', '/orders/{order}')]);
  }
  assert.ok(agent.id);
});
