import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Role, TaskState } from '@a2a-js/sdk';
import { type Client, ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from '@a2a-js/sdk/client';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { newA2aMessage } from '@svc/testing/agents/a2a-scene.ts';
import { activateRules } from '@svc/testing/agents/governed.ts';
import { connectInbound, type InboundScene, newInboundScene, signPeerJwt } from '@svc/testing/agents/inbound-scene.ts';
import { MCP_ENV } from '@svc/testing/agents/mcp-scene.ts';
import { newSigningKey, startA2aAgent } from '@svc/testing/peers/a2a-agent.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import { waitUntil } from '@svc/testing/time/until.ts';

let planes: Planes;
const scenes: InboundScene[] = [];
before(async () => {
  planes = await leasePlanes({ env: MCP_ENV });
});
after(async () => {
  await Promise.all(scenes.map((scene) => scene.close()));
  await planes.stop();
});

const newVerified = async (): Promise<InboundScene> => {
  const scene = await newInboundScene(planes);
  scenes.push(scene);
  const { status, text } = await scene.verify();
  assert.equal(status, 200, text);
  return scene;
};

/** The official client of the partner, which finds the agent by its published card. */
const newClient = async (scene: InboundScene, gateway = 0): Promise<Client> => {
  const token = await scene.mint();
  const fetchImpl: typeof fetch = (input, init = {}) =>
    fetch(String(input).replace(planes.gatewayUrl, planes.gatewayUrls[gateway] ?? planes.gatewayUrl), {
      ...init,
      headers: { ...Object.fromEntries(new Headers(init.headers)), authorization: `Bearer ${token}` },
    });
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory({ fetchImpl })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
  });
  return factory.createFromUrl(`${planes.gatewayUrl}/gateway/v1/agents/${scene.agent.id}/`);
};

const newSending = (text: string) => ({
  tenant: '',
  message: {
    ...{
      messageId: randomUUID(),
      contextId: '',
      taskId: '',
      role: Role.ROLE_USER,
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    },
    parts: [{ content: { $case: 'text' as const, value: text }, metadata: undefined, filename: '', mediaType: '' }],
  },
  configuration: undefined,
  metadata: undefined,
});

const readReason = ({ json }: { readonly json: { readonly error?: { readonly data?: readonly { readonly reason: string }[] } } }) =>
  json.error?.data?.[0]?.reason;

test('callAgent: the official client of a partner sends a message, streams a task, reads it and cancels it', async () => {
  const scene = await newVerified();
  const client = await newClient(scene);
  const answer = await client.sendMessage(newSending('hello'));
  assert.ok('messageId' in answer);
  assert.match(JSON.stringify(answer.parts), /echo: hello/);
  const task = await client.sendMessage(newSending('task'));
  assert.ok('status' in task);
  assert.equal(task.status?.state, TaskState.TASK_STATE_COMPLETED);
  assert.equal((await client.getTask({ tenant: '', id: task.id, historyLength: undefined })).id, task.id);
  let updates = 0;
  let taskId = '';
  for await (const { payload } of client.sendMessageStream(newSending('slow'))) {
    if (payload?.$case === 'task') taskId = payload.value.id;
    if (payload?.$case === 'statusUpdate') updates += 1;
    if (updates === 3) await client.cancelTask({ tenant: '', id: taskId, metadata: undefined });
  }
  assert.deepEqual(scene.own.cancelled, [taskId]);
  for (const { headers, body } of scene.own.received) assert.ok(!JSON.stringify(headers).includes('Bearer') && !body.includes('Bearer'));
  const { data } = (await scene.owner('GET', `/v1/actions?agent_id=${scene.agent.id}&limit=50`)).json;
  assert.equal(data.length, 5);
  const { principal } = (await scene.owner('GET', `/v1/actions/${data[0].action_id ?? data[0].id}`)).json;
  assert.deepEqual(principal, { type: 'AGENT', id: scene.connectionId });
  const [event] = (await scene.owner('GET', '/v1/audit-events?type=a2a.interaction_allowed')).json.data;
  assert.deepEqual([event.actor.id, event.actor.name, event.data.connection_id], [scene.connectionId, 'Partner', scene.connectionId]);
});

test('callAgent answers only the partner of a verified connection to a published agent', async () => {
  const scene = await newInboundScene(planes);
  scenes.push(scene);
  const early = await scene.signIn();
  assert.deepEqual([early.status, early.json.error], [400, 'unauthorized_client'], early.text);
  assert.match(early.json.error_description, /PASSPORT_INVALID/);
  await scene.verify();
  const token = await scene.mint();
  const say = (more = {}) => scene.ask('SendMessage', { message: newA2aMessage('hello') }, { token, ...more });
  assert.match((await say()).text, /echo: hello/);
  assert.equal((await say({ token: scene.token })).status, 401, 'a token of an agent');
  assert.equal((await say({ token: 'x.y.z' })).status, 401);
  const other = await newVerified();
  const elsewhere = await call(planes.gatewayUrl, 'POST', other.path, {
    token,
    headers: { 'a2a-version': '1.0' },
    body: { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message: newA2aMessage('hello') } },
  });
  assert.equal(elsewhere.status, 401, 'the agent of another tenant');
  const asAgent = await call(planes.gatewayUrl, 'POST', '/gateway/v1/actions', { token, body: { tool: 'pay' } });
  assert.equal(asAgent.status, 401, 'a token of a partner opens nothing else');
  await scene.owner('POST', `/v1/agents/${scene.agent.id}/unpublish`, {});
  assert.equal((await say()).status, 404);
  assert.equal(other.own.received.length, 0);
});

test('the agent itself cannot use the tool of an inbound connection', async () => {
  const scene = await newVerified();
  const { json } = await scene.owner('GET', `/v1/a2a/connections/${scene.connectionId}`);
  const parameters = { method: 'SendMessage', message: newA2aMessage('hello') };
  const acted = await call(planes.gatewayUrl, 'POST', '/gateway/v1/actions', {
    token: scene.token,
    body: { tool: json.tool_name, parameters },
  });
  assert.equal(acted.json.error.code, 'TOOL_NOT_AUTHORIZED', acted.text);
  const asOutbound = await call(planes.gatewayUrl, 'POST', `/gateway/v1/a2a/${scene.connectionId}`, {
    token: scene.token,
    headers: { 'a2a-version': '1.0' },
    body: { jsonrpc: '2.0', id: 1, ...{ method: 'SendMessage', params: { message: newA2aMessage('hello') } } },
  });
  assert.equal(asOutbound.status, 404);
  assert.equal(scene.own.received.length, 0);
});

test('issueOauthToken refuses forged assertions of partners, and accepts each assertion once', async () => {
  const scene = await newVerified();
  const now = Math.floor(Date.now() / 1000);
  const { partner, connectionId } = scene;
  const p256 = newSigningKey('key-1', 'ES256');
  const forged: readonly (readonly [name: string, options: Parameters<InboundScene['signIn']>[0]])[] = [
    ['another key with the same kid', { key: newSigningKey('key-1') }],
    ['another key with an unknown kid', { key: newSigningKey('key-9') }],
    ['another algorithm', { key: p256 }],
    ['alg none', { header: { alg: 'none' } }],
    ['alg HS256', { header: { alg: 'HS256' } }],
    ['alg ES256 with the Ed25519 key', { header: { alg: 'ES256' } }],
    ['an unknown crit', { header: { crit: ['x'] } }],
    ['a jku', { header: { jku: 'https://evil.example/keys' } }],
    ['an embedded jwk', { header: { jwk: newSigningKey('key-1').jwk } }],
    ['an x5u', { header: { x5u: 'https://evil.example/cert' } }],
    ['b64', { header: { b64: false } }],
    ['another type', { header: { typ: 'svc-agent+jwt' } }],
    ['a kid that is no text', { header: { kid: 1 } }],
    ['another audience', { claims: { aud: 'https://other.example' } }],
    ['two audiences', { claims: { aud: ['https://other.example', 'https://third.example'] } }],
    ['no audience', { claims: { aud: undefined } }],
    ['another issuer', { claims: { iss: scene.agent.id } }],
    ['an agent as subject', { claims: { iss: scene.agent.id, sub: scene.agent.id } }],
    ['no subject', { claims: { sub: undefined } }],
    ['an unknown connection', { claims: { iss: 'a2a_01J00000000000000000000000', sub: 'a2a_01J00000000000000000000000' } }],
    ['another client id', { form: { client_id: 'a2a_01J00000000000000000000000' } }],
    ['an expired one', { claims: { iat: now - 120, exp: now - 60 } }],
    ['a future one', { claims: { iat: now + 3_600, exp: now + 3_660 } }],
    ['a long one', { claims: { exp: now + 864_000 } }],
    ['an end before its beginning', { claims: { iat: now, exp: now - 1 } }],
    ['times in texts', { claims: { iat: String(now), exp: String(now + 60) } }],
    ['a late nbf', { claims: { nbf: now + 30 } }],
    ['no jti', { claims: { jti: undefined } }],
    ['a short jti', { claims: { jti: 'x' } }],
    ['no assertion', { assertion: 'x' }],
    ['a truncated signature', { assertion: signPeerJwt(partner.key, { sub: connectionId }).slice(0, -10) }],
    ['the endpoint of another agent', { form: { resource: `${planes.gatewayUrl}/gateway/v1/mcp` } }],
  ];
  assert.ok(forged.length >= 30);
  for (const [name, options] of forged) {
    const { status, json, text } = await scene.signIn(options);
    assert.ok(status === 400 || status === 401, `${name}: ${text}`);
    assert.equal(json.access_token, undefined, name);
  }
  const assertion = signPeerJwt(partner.key, {
    ...{ iss: connectionId, sub: connectionId, iat: now, exp: now + 60, jti: randomUUID() },
    aud: (await call(planes.gatewayUrl, 'GET', '/.well-known/oauth-authorization-server', {})).json.issuer,
  });
  assert.equal((await scene.signIn({ assertion })).status, 200);
  const replayed = await scene.signIn({ assertion, gateway: 1 });
  assert.equal(replayed.status, 400);
  assert.match(replayed.text, /NONCE_REPLAYED/);
});

test('updateA2aConnection: new keys end tokens and the verification; deleteA2aConnection ends everything', async () => {
  const scene = await newVerified();
  const { owner, connectionId, partner } = scene;
  const token = await scene.mint();
  const say = () => scene.ask('SendMessage', { message: newA2aMessage('hello') }, { token });
  assert.match((await say()).text, /echo: hello/);
  const key = newSigningKey('key-2', 'ES256');
  const path = `/v1/a2a/connections/${connectionId}`;
  const changed = await owner('PATCH', path, { keys: [key.jwk] });
  assert.deepEqual([changed.status, changed.json.status, changed.json.keys[0].kid], [200, 'PENDING', 'key-2'], changed.text);
  assert.equal((await say()).status, 401);
  partner.key = key;
  assert.equal((await scene.verify()).status, 200);
  assert.equal((await say()).status, 401, 'tokens of before stay ended');
  assert.match((await scene.ask('SendMessage', { message: newA2aMessage('hello') })).text, /echo: hello/);
  const fresh = await scene.mint();
  const removed = await owner('DELETE', path);
  assert.equal(removed.status, 200, removed.text);
  assert.equal((await owner('GET', path)).status, 404);
  assert.equal((await scene.ask('SendMessage', { message: newA2aMessage('hello') }, { token: fresh })).status, 401);
  const [event] = (await owner('GET', '/v1/audit-events?type=a2a.connection_blocked')).json.data;
  assert.deepEqual([event.data.after, event.data.before.keys[0].kid], [null, 'key-2']);
});

test('a message that needs an approval is a task in TASK_STATE_AUTH_REQUIRED, and is delivered once after a person approved it', async () => {
  const scene = await newVerified();
  const { tenant } = scene;
  const when = { field: 'tool.kind', op: 'eq', value: 'A2A' };
  await activateRules(
    tenant,
    'hold',
    [{ id: 'hold', when, effect: 'REQUIRE_APPROVAL', reason: 'Secret reason.' }],
    [{ name: 'held', given: { tool: { kind: 'A2A' } }, then: { effect: 'REQUIRE_APPROVAL' } }],
  );
  const database = await planes.database.client();
  const approver = await insertPerson(database, tenant.organization_id, 'approver');
  await database.end();
  const client = await newClient(scene);
  const held = await client.sendMessage(newSending('hello'));
  assert.ok('status' in held);
  assert.equal(held.status?.state, TaskState.TASK_STATE_AUTH_REQUIRED);
  assert.ok(!JSON.stringify(held).includes('Secret reason'));
  const get = () => client.getTask({ tenant: '', id: held.id, historyLength: undefined });
  assert.equal((await get()).status?.state, TaskState.TASK_STATE_AUTH_REQUIRED);
  assert.equal(scene.own.received.length, 0);
  const decide = (id: string, how: string, body: object) =>
    mustCall(planes.controlUrl, 'POST', `/v1/approvals/${id}/${how}`, { token: approver.token, body });
  await decide(held.id.slice('held-'.length), 'approve', {});
  const answers = await Promise.all([get(), get(), get()]);
  const done = await get();
  assert.equal(done.status?.state, TaskState.TASK_STATE_COMPLETED, JSON.stringify(answers));
  assert.match(JSON.stringify(done.artifacts), /echo: hello/);
  assert.equal(scene.own.received.length, 1, 'it is delivered once');
  const denied = await client.sendMessage(newSending('other'));
  assert.ok('status' in denied);
  await decide(denied.id.slice('held-'.length), 'deny', { reason: 'No.' });
  const rejected = await client.getTask({ tenant: '', id: denied.id, historyLength: undefined });
  assert.equal(rejected.status?.state, TaskState.TASK_STATE_REJECTED);
  const states: unknown[] = [];
  let approving: Promise<unknown> | undefined;
  for await (const { payload } of client.sendMessageStream(newSending('task'))) {
    if (payload?.$case === 'task') {
      states.push(payload.value.status?.state);
      const approvalId = payload.value.id.slice('held-'.length);
      approving ??= payload.value.id.startsWith('held-') ? decide(approvalId, 'approve', {}) : undefined;
    }
    if (payload?.$case === 'statusUpdate') states.push(payload.value.status?.state);
  }
  await approving;
  assert.deepEqual([states[0], states.at(-1)], [TaskState.TASK_STATE_AUTH_REQUIRED, TaskState.TASK_STATE_COMPLETED]);
});

test('ListTasks pages through the tasks of the connection and shows no other tasks', async () => {
  const scene = await newVerified();
  const stranger = await startA2aAgent();
  const second = await connectInbound(scene, { partner: stranger, own: scene.own, name: 'Second' });
  await scene.owner('POST', `/v1/a2a/connections/${second.connectionId}/verify`, {});
  const audience = (await call(planes.gatewayUrl, 'GET', '/.well-known/oauth-authorization-server', {})).json.issuer;
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: second.connectionId, sub: second.connectionId, aud: audience, iat: now, exp: now + 60, jti: randomUUID() };
  const other: string = (await scene.signIn({ assertion: signPeerJwt(stranger.key, claims) })).json.access_token;
  const token = await scene.mint();
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1)
    ids.push((await scene.ask('SendMessage', { message: newA2aMessage('task') }, { token })).json.result.task.id);
  const task = (await scene.ask('SendMessage', { message: newA2aMessage('task') }, { token: other })).json.result.task;
  const seen: string[] = [];
  let pageToken = '';
  do {
    const { json, text } = await scene.ask('ListTasks', { pageSize: 2, pageToken }, { token });
    assert.ok(json.result, text);
    assert.deepEqual([json.result.totalSize, json.result.pageSize], [5, 2]);
    seen.push(...json.result.tasks.map(({ id }: { id: string }) => id));
    pageToken = json.result.nextPageToken;
  } while (pageToken !== '');
  assert.deepEqual(seen.toSorted(), ids.toSorted());
  const found = (await scene.ask('ListTasks', { contextId: task.contextId }, { token })).json.result;
  assert.equal(found.totalSize, 0);
  assert.match((await scene.ask('ListTasks', { pageToken: 'x' }, { token })).text, /-32602/);
  const before = scene.own.received.length;
  for (const [method, params] of [
    ['GetTask', { id: task.id }],
    ['CancelTask', { id: task.id }],
    ['SendMessage', { message: newA2aMessage('hello', { taskId: task.id }) }],
    ['SendMessage', { message: newA2aMessage('hello', { contextId: task.contextId }) }],
    ['SendMessage', { message: newA2aMessage('hello', { referenceTaskIds: [task.id] }) }],
    ['GetTask', { id: 'held-apr_01J00000000000000000000000' }],
  ] as const)
    assert.match((await scene.ask(method, params, { token })).text, /-32001/, method);
  assert.equal(scene.own.received.length, before);
  await stranger.close();
});

test('a block ends inbound streams at every gateway within a second, and messages after it', async () => {
  const scene = await newVerified();
  const clients = [await newClient(scene, 0), await newClient(scene, 1)];
  let begun = 0;
  let isBlocked: (() => void) | undefined;
  const allBegan = new Promise<void>((resolve) => {
    isBlocked = resolve;
  });
  const ended: number[] = [];
  const streams = clients.map(async (client) => {
    let updates = 0;
    try {
      for await (const { payload } of client.sendMessageStream(newSending('slow'))) {
        if (payload?.$case === 'statusUpdate') updates += 1;
        if (updates !== 2) continue;
        begun += 1;
        if (begun === clients.length) isBlocked?.();
      }
    } catch (error) {
      assert.match(String(error), /A2A_CONNECTION_BLOCKED/);
    }
    ended.push(performance.now());
  });
  await allBegan;
  const token = await scene.mint();
  assert.equal((await scene.block()).status, 200);
  const blockedAt = performance.now();
  await Promise.all(streams);
  for (const at of ended) assert.ok(at - blockedAt < 1_000, `${at - blockedAt} ms`);
  await waitUntil('both tasks are cancelled', () => scene.own.cancelled.length === 2);
  for (const gateway of [0, 1]) {
    const refused = await scene.ask('SendMessage', { message: newA2aMessage('hello') }, { token, gateway });
    assert.equal(readReason(refused), 'A2A_CONNECTION_BLOCKED', refused.text);
  }
  assert.equal((await scene.signIn()).json.error, 'unauthorized_client');
  assert.equal(scene.own.received.filter(({ method }) => method === 'SendMessage').length, 0);
});

const addHold = async (scene: InboundScene): Promise<(approvalId: string) => Promise<unknown>> => {
  const when = { field: 'tool.kind', op: 'eq', value: 'A2A' };
  await activateRules(
    scene.tenant,
    'hold',
    [{ id: 'hold', when, effect: 'REQUIRE_APPROVAL', reason: 'A person looks.' }],
    [{ name: 'held', given: { tool: { kind: 'A2A' } }, then: { effect: 'REQUIRE_APPROVAL' } }],
  );
  const database = await planes.database.client();
  const { token } = await insertPerson(database, scene.tenant.organization_id, 'approver');
  await database.end();
  return (approvalId) => mustCall(planes.controlUrl, 'POST', `/v1/approvals/${approvalId}/approve`, { token, body: {} });
};

test('callAgent delivers a message id once: repeated it gets the first answer, and with another content it is refused', async () => {
  const scene = await newVerified();
  const message = newA2aMessage('hello') as { readonly messageId: string };
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) => scene.ask('SendMessage', { message }, { gateway: index % planes.gatewayUrls.length })),
  );
  for (const { text } of answers) assert.match(text, /echo: hello/);
  assert.equal(scene.own.received.length, 1);
  const other = await scene.ask('SendMessage', { message: { ...message, parts: [{ text: 'other' }] } });
  assert.equal(readReason(other), 'IDEMPOTENCY_KEY_REUSED', other.text);
  const partner = await newVerified();
  assert.match((await partner.ask('SendMessage', { message })).text, /echo: hello/);
  assert.equal(scene.own.received.length, 1);
});

test('callAgent answers a repeated message that waits with its one task, and delivers it once after the approval', async () => {
  const scene = await newVerified();
  const approve = await addHold(scene);
  const message = newA2aMessage('hello');
  const send = () => scene.ask('SendMessage', { message });
  const [first, again] = [(await send()).json.result.task, (await send()).json.result.task];
  assert.equal(first.status.state, 'TASK_STATE_AUTH_REQUIRED');
  assert.equal(again.id, first.id);
  await approve(first.id.slice('held-'.length));
  assert.match((await send()).text, /echo: hello/);
  assert.equal(scene.own.received.length, 1);
});

test('callAgent refuses huge parts and what is no message, and answers others meanwhile', async () => {
  const [attacker, other] = [await newVerified(), await newVerified()];
  const huge = (bytes: number) => newA2aMessage('x'.repeat(bytes));
  const refused = await Promise.all([400_000, 200_000, 70_000].map((bytes) => attacker.ask('SendMessage', { message: huge(bytes) })));
  for (const { status, text } of refused) assert.ok(status === 400 || /"error"/.test(text), text.slice(0, 200));
  for (const message of ['text', null, 7, []]) {
    const { json, text } = await attacker.ask('SendMessage', { message });
    assert.ok(json.error, text);
  }
  const many = { ...newA2aMessage('x'), referenceTaskIds: Array.from({ length: 1_000 }, (_, index) => `task-${index}`) };
  assert.ok((await attacker.ask('SendMessage', { message: many })).json.error);
  assert.equal(attacker.own.received.length, 0);
  assert.match((await other.ask('SendMessage', { message: newA2aMessage('hello') })).text, /echo: hello/);
});

test('callAgent ends an endless stream within its bounds, and answers others meanwhile', async () => {
  const [attacker, other] = [await newVerified(), await newVerified()];
  let isClosed = false;
  attacker.own.before = (path, response, body) => {
    if (path !== '/a2a' || !body.includes('SendStreamingMessage')) return false;
    const { id } = JSON.parse(body);
    const status = { state: 'TASK_STATE_WORKING', message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'x'.repeat(4_000) }] } };
    const event = `data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { statusUpdate: { taskId: 't', contextId: 'c', status } } })}\n\n`;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.once('close', () => {
      isClosed = true;
    });
    const write = (): void => {
      while (!isClosed && response.write(event));
      if (!isClosed) response.once('drain', write);
    };
    write();
    return true;
  };
  const streamed = attacker.stream('SendStreamingMessage', { message: newA2aMessage('slow') }, await attacker.mint());
  assert.match((await other.ask('SendMessage', { message: newA2aMessage('hello') })).text, /echo: hello/);
  const text = await streamed;
  assert.match(text, /"error":/);
  assert.ok(text.length < 2 * LIMITS.a2a.resultBytesMax, `${text.length} characters`);
  // The connection to the agent is closed before another message is answered, however loaded the machine is.
  assert.match((await other.ask('SendMessage', { message: newA2aMessage('hello') })).text, /echo: hello/);
  assert.ok(isClosed, 'the connection to the agent is closed');
});
