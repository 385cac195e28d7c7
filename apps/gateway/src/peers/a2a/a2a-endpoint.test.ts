import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Role, TaskState } from '@a2a-js/sdk';
import { type Client, ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from '@a2a-js/sdk/client';
import { type A2aScene, newA2aMessage, newA2aScene } from '@svc/testing/agents/a2a-scene.ts';
import { mintToken, newAgent } from '@svc/testing/agents/agent.ts';
import { activateRules } from '@svc/testing/agents/governed.ts';
import { MCP_ENV } from '@svc/testing/agents/mcp-scene.ts';
import { call } from '@svc/testing/people/client.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import { waitUntil } from '@svc/testing/time/until.ts';

let planes: Planes;
const scenes: A2aScene[] = [];
before(async () => {
  planes = await leasePlanes({ env: MCP_ENV });
});
after(async () => {
  await Promise.all(scenes.map((scene) => scene.close()));
  await planes.stop();
});

const newScene = async (): Promise<A2aScene> => {
  const scene = await newA2aScene(planes);
  scenes.push(scene);
  return scene;
};

const newVerified = async (): Promise<A2aScene> => {
  const scene = await newScene();
  const { status, text } = await scene.verify();
  assert.equal(status, 200, text);
  return scene;
};

/** The official client, which authenticates as the agent of the scene. */
const newClient = ({ path, token }: A2aScene): Promise<Client> => {
  const fetchImpl: typeof fetch = (input, init = {}) =>
    fetch(input, { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), authorization: `Bearer ${token}` } });
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory({ fetchImpl })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
  });
  return factory.createFromUrl(`${planes.gatewayUrl}${path}/`);
};

let sent = 0;
const newMessage = (text: string) => {
  sent += 1;
  return {
    ...{
      messageId: `sdk-${sent}`,
      contextId: '',
      taskId: '',
      role: Role.ROLE_USER,
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    },
    parts: [{ content: { $case: 'text' as const, value: text }, metadata: undefined, filename: '', mediaType: '' }],
  };
};
const newSending = (text: string) => ({ tenant: '', message: newMessage(text), configuration: undefined, metadata: undefined });

const listEvents = async ({ owner }: A2aScene, type: string) => (await owner('GET', `/v1/audit-events?type=${type}&limit=50`)).json.data;

test('callA2aConnection, getA2aCard: the official client sends a message, streams a task, reads it and cancels it', async () => {
  const scene = await newVerified();
  const client = await newClient(scene);
  const answer = await client.sendMessage(newSending('hello'));
  assert.ok('messageId' in answer);
  assert.match(JSON.stringify(answer.parts), /echo: hello/);
  const task = await client.sendMessage(newSending('task'));
  assert.ok('status' in task);
  assert.equal(task.status?.state, TaskState.TASK_STATE_COMPLETED);
  const read = await client.getTask({ tenant: '', id: task.id, historyLength: undefined });
  assert.equal(read.id, task.id);
  let updates = 0;
  let taskId = '';
  for await (const { payload } of client.sendMessageStream(newSending('slow'))) {
    if (payload?.$case === 'task') taskId = payload.value.id;
    if (payload?.$case === 'statusUpdate') updates += 1;
    if (updates === 3) await client.cancelTask({ tenant: '', id: taskId, metadata: undefined });
    assert.ok(updates < 1_000);
  }
  assert.ok(updates >= 3);
  assert.deepEqual(scene.remote.cancelled, [taskId]);
  for (const { headers, body } of scene.remote.received) {
    assert.equal(headers.authorization, undefined);
    assert.ok(!JSON.stringify(headers).includes(scene.token) && !body.includes(scene.token));
  }
  const actions = (await scene.owner('GET', `/v1/actions?agent_id=${scene.agent.id}&limit=50`)).json.data;
  assert.equal(actions.length, 5);
  const allowed = await listEvents(scene, 'a2a.interaction_allowed');
  assert.deepEqual(allowed.map(({ data }: { data: { method: string } }) => data.method).toSorted(), [
    'CancelTask',
    'GetTask',
    'SendMessage',
    'SendMessage',
    'SendStreamingMessage',
  ]);
});

test('callA2aConnection sends nothing over a connection that is not verified', async () => {
  const scene = await newScene();
  const { json, text } = await scene.say('hello');
  assert.equal(json.error.data[0].reason, 'A2A_CONNECTION_BLOCKED', text);
  await scene.verify();
  assert.match((await scene.say('hello')).text, /echo: hello/);
  await scene.block();
  assert.equal((await scene.say('hello')).json.error.data[0].reason, 'A2A_CONNECTION_BLOCKED');
  assert.equal(scene.remote.received.length, 1);
  const blocked = await listEvents(scene, 'a2a.interaction_blocked');
  assert.deepEqual(
    blocked.map(({ data }: { data: Record<string, unknown> }) => [data.connection_id, data.code]),
    [
      [scene.connectionId, 'A2A_CONNECTION_BLOCKED'],
      [scene.connectionId, 'A2A_CONNECTION_BLOCKED'],
    ],
  );
});

test('a block stops a stream in progress within a second and asks the remote agent to cancel its task, whatever it answers', async () => {
  const scene = await newVerified();
  let cancellations = 0;
  let taskId = '';
  scene.remote.before = (_path, _response, body) => {
    if (!body.includes('"CancelTask"')) return false;
    cancellations += 1;
    // Never answers.
    return true;
  };
  const client = await newClient(scene);
  let updates = 0;
  let blockedAt = 0;
  const stream = async () => {
    for await (const { payload } of client.sendMessageStream(newSending('slow'))) {
      if (payload?.$case === 'statusUpdate') {
        updates += 1;
        taskId = payload.value.taskId;
      }
      if (updates === 2 && blockedAt === 0) {
        assert.equal((await scene.block()).status, 200);
        blockedAt = performance.now();
      }
    }
  };
  await assert.rejects(stream(), /A2A_CONNECTION_BLOCKED/);
  const stoppedMs = performance.now() - blockedAt;
  assert.ok(stoppedMs < 1_000, `${stoppedMs} ms`);
  await waitUntil('the cancellation arrives', () => cancellations === 1);
  // Ends the task, which would go on for ever.
  scene.remote.before = () => false;
  await fetch(`${scene.remote.url}/a2a`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'CancelTask', params: { id: taskId } }),
  });
  const [action] = (await scene.owner('GET', `/v1/actions?agent_id=${scene.agent.id}`)).json.data;
  assert.equal(action.status, 'UNKNOWN');
});

test('a block under load: no message that is sent after its answer reaches the remote agent', async () => {
  const scene = await newVerified();
  let isOver = false;
  let [allowed, refused] = [0, 0];
  const send = async (): Promise<void> => {
    while (!isOver) {
      const { json } = await scene.say('hello');
      if (json.result) allowed += 1;
      else refused += 1;
    }
  };
  const senders = Array.from({ length: 8 }, send);
  await waitUntil('a message is allowed', () => allowed > 0);
  await sleep(500);
  assert.equal((await scene.block()).status, 200);
  const arrivedAtBlock = scene.remote.received.length;
  await sleep(500);
  isOver = true;
  await Promise.all(senders);
  assert.ok(allowed > 0 && refused > 0, `${allowed} ${refused}`);
  assert.ok(scene.remote.received.length - arrivedAtBlock <= senders.length, 'only what was on its way');
  const before = scene.remote.received.length;
  await scene.say('hello');
  assert.equal(scene.remote.received.length, before);
});

test('a task is known only to the agent that started it', async () => {
  const scene = await newVerified();
  const { owner, tenant } = scene;
  const task = (await scene.ask('SendMessage', { message: newA2aMessage('task') })).json.result.task;
  const other = await newAgent(tenant, { capabilities: ['a2a.partner'] });
  const { tool_id } = (await owner('GET', `/v1/a2a/connections/${scene.connectionId}`)).json;
  await owner('POST', `/v1/tools/${tool_id}/agents`, { agent_id: other.id });
  const token = await mintToken(planes.gatewayUrl, other);
  const sentBefore = scene.remote.received.length;
  for (const [method, params] of [
    ['GetTask', { id: task.id }],
    ['CancelTask', { id: task.id }],
    ['SendMessage', { message: newA2aMessage('hello', { taskId: task.id }) }],
  ] as const) {
    const { text } = await scene.ask(method, params, { token });
    assert.match(text, /-32001/, method);
  }
  const stream = await fetch(`${planes.gatewayUrl}${scene.path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'a2a-version': '1.0' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SubscribeToTask', params: { id: task.id } }),
  });
  assert.match(await stream.text(), /-32001/);
  const asAction = await call(planes.gatewayUrl, 'POST', '/gateway/v1/actions', {
    token,
    body: { tool: scene.toolName, parameters: { method: 'GetTask', task_id: task.id } },
  });
  assert.match(asAction.text, /There is no such task|reported an error/);
  assert.equal(scene.remote.received.length, sentBefore);
  assert.equal((await scene.ask('GetTask', { id: task.id })).json.result.id, task.id);
});

test('a message that needs an approval is refused with it, and sent once a person approved it', async () => {
  const scene = await newVerified();
  const { tenant } = scene;
  const when = { field: 'tool.kind', op: 'eq', value: 'A2A' };
  await activateRules(
    tenant,
    'hold',
    [{ id: 'hold', when, effect: 'REQUIRE_APPROVAL', reason: 'Messages leave the company.' }],
    [{ name: 'held', given: { tool: { kind: 'A2A' } }, then: { effect: 'REQUIRE_APPROVAL' } }],
  );
  const message = newA2aMessage('hello');
  const held = await scene.ask('SendMessage', { message });
  const info = held.json.error.data[0];
  assert.equal(info.reason, 'APPROVAL_REQUIRED', held.text);
  const database = await planes.database.client();
  const approver = await insertPerson(database, tenant.organization_id, 'approver');
  await database.end();
  await newControlClient(planes.controlUrl, approver.token).approveApproval({
    params: { approvalId: info.metadata.approval_id },
    body: {},
  });
  const allowed = await scene.ask('SendMessage', { message });
  assert.match(allowed.text, /echo: hello/);
  assert.equal(scene.remote.received.length, 1);
});

test('protocol errors, and methods that bypass the gateway, get the errors of Agent2Agent', async () => {
  const scene = await newVerified();
  const send = (body: object, headers: Record<string, string> = { 'a2a-version': '1.0' }) =>
    call(planes.gatewayUrl, 'POST', scene.path, { token: scene.token, body, headers });
  const request = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
  const code = async (answer: ReturnType<typeof send>) => (await answer).json.error.code;
  assert.equal(await code(send(request('SendMessage'), {})), -32_009);
  assert.equal(await code(send(request('SendMessage'))), -32_602);
  assert.equal(await code(send({ jsonrpc: '2.0', method: 'GetTask' })), -32_600);
  assert.equal(await code(send(request('GetTask', { id: 7 }))), -32_602);
  assert.equal((await send(request('ListTasks'))).json.result.totalSize, 0);
  assert.equal(await code(send(request('GetExtendedAgentCard'))), -32_004);
  assert.equal(await code(send(request('CreateTaskPushNotificationConfig'))), -32_003);
  assert.equal(await code(send(request('nonsense'))), -32_601);
  const push = { message: newA2aMessage('hello'), configuration: { taskPushNotificationConfig: { url: 'https://evil.example' } } };
  assert.match((await send(request('SendMessage', push))).text, /push notifications/);
  assert.equal(scene.remote.received.length, 0);
  assert.equal((await call(planes.gatewayUrl, 'POST', scene.path, { body: request('GetTask') })).status, 401);
  const other = await newVerified();
  assert.equal(
    (
      await call(planes.gatewayUrl, 'POST', other.path, {
        token: scene.token,
        body: request('SendMessage', { message: {} }),
        headers: { 'a2a-version': '1.0' },
      })
    ).status,
    404,
  );
});
