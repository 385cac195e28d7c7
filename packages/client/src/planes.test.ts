import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { type ControlClient, createControlClient, createGatewayClient, isServiceError, listAll } from './client.ts';
import { bearerTransport } from './transports/bearer.ts';
import { cookieTransport } from './transports/cookie.ts';

let planes: Planes;
let governed: Governed;
let client: ControlClient;
before(async () => {
  planes = await leasePlanes();
  governed = await newGoverned(planes);
  client = createControlClient({ transport: bearerTransport({ url: planes.controlUrl, token: governed.tenant.token }) });
});
after(() => planes.stop());

test('calls operations by name with typed parameters, query and body', async () => {
  const agent = await client.getAgent({ params: { agentId: governed.agent.id } });
  assert.equal(agent.id, governed.agent.id);
  const paused = await client.pauseAgent({ params: { agentId: agent.id } });
  assert.equal(paused.status, 'PAUSED');
  const resumed = await client.resumeAgent({ params: { agentId: agent.id }, body: { reason: 'Checked.' } });
  assert.equal(resumed.status, 'ACTIVE');
  const { items, total } = await client.listAgents({ query: { limit: 1 } });
  assert.deepEqual([items.length, total], [1, 1]);
});

test('rejects with a ServiceError that carries code, status, request id, documentation and faults', async () => {
  const body = { name: '', type: 'PRODUCTION', workspace_id: governed.tenant.workspace_id } as const;
  await assert.rejects(client.createEnvironment({ body }), (error) => {
    assert.ok(isServiceError(error, 'VALIDATION_FAILED'));
    assert.equal(error.status, 400);
    assert.match(error.requestId ?? '', /^req_/);
    assert.match(error.docsUrl ?? '', /#VALIDATION_FAILED$/);
    assert.deepEqual(
      error.faults.map(({ pointer }) => pointer),
      ['/name'],
    );
    return true;
  });
});

test('returns a refusal as a value on request, with status and headers on success', async () => {
  const found = await client.request('listPolicies');
  assert.ok(found.ok);
  assert.deepEqual([found.status, found.headers.get('x-total-count')], [200, '1']);
  const missing = await client.request('getAgent', { params: { agentId: 'agt_01ARZ3NDEKTSV4RRFFQ69G5FAV' } });
  assert.equal(missing.ok ? undefined : missing.error.code, 'NOT_FOUND');
});

test('escapes path parameters and refuses an empty one before sending', async () => {
  const outcome = await client.request('getAgent', { params: { agentId: '../agents' } });
  assert.equal(outcome.ok ? undefined : outcome.error.code, 'NOT_FOUND');
  await assert.rejects(client.getAgent({ params: { agentId: '' } }), TypeError);
});

test('sends the scope headers', async () => {
  const options = { environmentId: 'env_01ARZ3NDEKTSV4RRFFQ69G5FAV' };
  const outcome = await client.request('listAgents', options);
  assert.equal(outcome.ok ? undefined : outcome.error.code, 'TENANT_MISMATCH');
});

test('lists every item over pages of arrays, collections and cursors', async () => {
  for (const name of ['One', 'Two', 'Three']) await client.createWorkspace({ body: { name } });
  const count = async (items: AsyncGenerator<unknown>): Promise<number> => {
    let counted = 0;
    for await (const _ of items) counted += 1;
    return counted;
  };
  assert.equal(await count(listAll(client, 'listSessions', {})), 1);
  assert.equal(await count(listAll(client, 'listAgents', { query: { limit: 1 } })), 1);
  const events = await count(listAll(client, 'searchAuditEvents', { query: { limit: 2 } }));
  assert.ok(events >= 5, `${events}`);
});

test('reads the event stream and closes it when the loop is left', async () => {
  const controller = new AbortController();
  const messages = await client.streamEvents({ signal: controller.signal });
  await client.createWorkspace({ body: { name: 'Streamed' } });
  for await (const { id, data } of messages) {
    assert.notEqual(id, '');
    assert.equal(data.type, 'workspace.created');
    break;
  }
});

test('returns the response itself where bytes are answered', async () => {
  const outcome = await client.request('getAuditLogCheckpoint');
  assert.ok(!outcome.ok || outcome.body instanceof Response);
});

test('replaces a refused token of a token source once', async () => {
  const tokens = ['expired', governed.token];
  const discarded: string[] = [];
  const source = { take: async () => tokens[discarded.length] ?? '', discard: (token: string) => void discarded.push(token) };
  const gateway = createGatewayClient({ transport: bearerTransport({ url: planes.gatewayUrl, token: source }) });
  const decision = await gateway.act({ body: { tool: 'pay' } });
  assert.equal(decision.status, 'ALLOWED');
  assert.deepEqual(discarded, ['expired']);
});

test('sends one idempotency key for all attempts of a call', async () => {
  const keys: (string | null)[] = [];
  let attempts = 0;
  const transport = bearerTransport({
    url: planes.gatewayUrl,
    token: governed.token,
    fetch: async (input, init) => {
      keys.push(new Headers(init.headers).get('idempotency-key'));
      attempts += 1;
      if (attempts === 1)
        return new Response('{"error":{"code":"RATE_LIMITED","message":"Busy."}}', { status: 429, headers: { 'retry-after': '0' } });
      return fetch(input, init);
    },
  });
  const decision = await createGatewayClient({ transport }).act({ body: { tool: 'pay' } });
  assert.equal(decision.status, 'ALLOWED');
  assert.equal(keys.length, 2);
  assert.ok(keys[0] !== null && keys[0] === keys[1]);
});

test('fails with SERVICE_UNREACHABLE, TIMED_OUT and RESPONSE_UNREADABLE where no usable response comes back', async () => {
  const readCode = async (url: string, timeoutMs: number, fetcher = fetch): Promise<string> => {
    const unreachable = createControlClient({ transport: bearerTransport({ url, fetch: fetcher }), timeoutMs });
    const outcome = await unreachable.request('listErrorCodes');
    return outcome.ok ? 'ok' : outcome.error.code;
  };
  assert.equal(await readCode('http://127.0.0.1:1', 5_000), 'SERVICE_UNREACHABLE');
  const never = (_input: string, { signal }: RequestInit): Promise<Response> =>
    new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  assert.equal(await readCode('http://127.0.0.1:1', 50, never as typeof fetch), 'TIMED_OUT');
  const page = async () => new Response('<html>', { status: 200 });
  assert.equal(await readCode('http://127.0.0.1:1', 5_000, page as typeof fetch), 'RESPONSE_UNREADABLE');
});

test('rejects with the reason of the caller when the caller aborts', async () => {
  await assert.rejects(client.request('listWorkspaces', { signal: AbortSignal.abort(new Error('left')) }), /left/);
});

test('the cookie transport signs in, keeps the CSRF token and sends it with changes', async () => {
  let cookie = '';
  // A browser keeps the cookie; `fetch` of Node does not.
  const browserFetch = async (input: string, init: RequestInit): Promise<Response> => {
    const headers = { ...(init.headers as Record<string, string>), origin: planes.controlUrl, ...(cookie === '' ? {} : { cookie }) };
    const response = await fetch(input, { ...init, headers });
    const [first] = response.headers.getSetCookie().filter((each) => each.includes('session='));
    if (first) cookie = first.split(';')[0] ?? '';
    return response;
  };
  const pages = createControlClient({ transport: cookieTransport({ url: planes.controlUrl, fetch: browserFetch }) });
  const { email, password } = governed.tenant;
  await pages.login({ body: { email, password } });
  const workspace = await pages.createWorkspace({ body: { name: 'By cookie' } });
  assert.equal(workspace.name, 'By cookie');
  await pages.logout();
  const outcome = await pages.request('getSession');
  assert.equal(outcome.ok ? undefined : outcome.error.status, 401);
});
