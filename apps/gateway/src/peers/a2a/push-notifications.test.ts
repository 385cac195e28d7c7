import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Role, TaskState } from '@a2a-js/sdk';
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from '@a2a-js/sdk/client';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type A2aScene, newA2aMessage, newA2aScene } from '@svc/testing/agents/a2a-scene.ts';
import { mintToken, newAgent } from '@svc/testing/agents/agent.ts';
import { MCP_ENV } from '@svc/testing/agents/mcp-scene.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
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

const newVerified = async (offersPushes = true): Promise<A2aScene> => {
  const scene = await newA2aScene(planes, { offersPushes });
  scenes.push(scene);
  const { status, text } = await scene.verify();
  assert.equal(status, 200, text);
  return scene;
};

const pushUrl = (scene: A2aScene): string => `${planes.gatewayUrl}${scene.path}/notifications`;

/** Sends a message that asks for push notifications, and returns the task with the token that the remote agent got. */
const start = async (scene: A2aScene, text = 'task'): Promise<{ taskId: string; token: string; id: string }> => {
  const configuration = { taskPushNotificationConfig: { url: pushUrl(scene) } };
  const { json, text: answer } = await scene.ask('SendMessage', { message: newA2aMessage(text), configuration });
  assert.ok(json.result?.task, answer);
  return { taskId: json.result.task.id, ...readConfig(scene) };
};

/** The push config in the last message that the remote agent received. */
const readConfig = (scene: A2aScene): { token: string; id: string } => {
  const { body } = scene.remote.received.findLast(({ body: sent }) => sent.includes('"token"')) ?? { body: '{}' };
  const { params } = JSON.parse(body);
  return params.configuration?.taskPushNotificationConfig ?? params;
};

let pushed = 0;
const newUpdate = (taskId: string, state = 'TASK_STATE_WORKING') => {
  pushed += 1;
  return { statusUpdate: { taskId, contextId: 'c', status: { state, timestamp: new Date(pushed).toISOString() } } };
};

const push = (scene: A2aScene, token: string | undefined, body: object, path = scene.path): Promise<TestResponse> =>
  call(planes.gatewayUrl, 'POST', `${path}/notifications`, {
    body,
    headers: { 'content-type': 'application/a2a+json', ...(token === undefined ? {} : { 'x-a2a-notification-token': token }) },
  });

const readState = async (scene: A2aScene, taskId: string): Promise<string | undefined> => {
  const { tasks } = (await scene.ask('ListTasks', {})).json.result;
  return tasks.find(({ id }: { id: string }) => id === taskId)?.status.state;
};

/** A task that runs: its last known state is TASK_STATE_WORKING, since the remote agent answers at once. */
const startRunning = async (scene: A2aScene) => {
  scene.remote.before = (path, response, body) => {
    if (path !== '/a2a' || !body.includes('SendMessage')) return false;
    const { id, method } = JSON.parse(body);
    scene.remote.received.push({ method, headers: {}, body });
    const task = { id: `running-${Math.random()}`, contextId: 'c', status: { state: 'TASK_STATE_WORKING' } };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result: { task } }));
    return true;
  };
  return start(scene);
};

test('receiveA2aNotification: the official agent pushes a task to the gateway, which the official client asked for', async () => {
  const scene = await newVerified();
  const fetchImpl: typeof fetch = (input, init = {}) =>
    fetch(input, { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), authorization: `Bearer ${scene.token}` } });
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory({ fetchImpl })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
  });
  const client = await factory.createFromUrl(`${planes.gatewayUrl}${scene.path}/`);
  assert.equal((await client.getAgentCard()).capabilities?.pushNotifications, true);
  const config = { tenant: '', id: '', taskId: '', url: pushUrl(scene), token: '', authentication: undefined };
  const task = await client.sendMessage({
    tenant: '',
    metadata: undefined,
    message: {
      ...{ messageId: 'sdk-push', contextId: '', taskId: '', role: Role.ROLE_USER, metadata: undefined, extensions: [] },
      ...{ referenceTaskIds: [], parts: [] },
      parts: [{ content: { $case: 'text' as const, value: 'task' }, metadata: undefined, filename: '', mediaType: '' }],
    },
    configuration: {
      acceptedOutputModes: [],
      taskPushNotificationConfig: config,
      historyLength: undefined,
      returnImmediately: false,
    },
  });
  assert.ok('status' in task);
  assert.equal(task.status?.state, TaskState.TASK_STATE_COMPLETED);
  const { token } = readConfig(scene);
  assert.equal(token.length, 64);
  const events = async () => (await scene.owner('GET', '/v1/audit-events?type=a2a.interaction_allowed&limit=50')).json.data;
  await waitUntil('the notification is recorded', async () =>
    (await events()).some(
      ({ data }: { data: { method: string; task_id: string } }) => data.method === 'PushNotification' && data.task_id === task.id,
    ),
  );
  assert.ok(!JSON.stringify(await events()).includes(token));
  const created = await client.createTaskPushNotificationConfig({ ...config, taskId: task.id });
  assert.deepEqual([created.taskId, created.url, created.token], [task.id, pushUrl(scene), '']);
  const listed = await client.listTaskPushNotificationConfig({ tenant: '', taskId: task.id, pageSize: 0, pageToken: '' });
  assert.equal(listed.configs.length, 2);
  const read = await client.getTaskPushNotificationConfig({ tenant: '', taskId: task.id, id: created.id });
  assert.deepEqual([read.id, read.token], [created.id, '']);
  await client.deleteTaskPushNotificationConfig({ tenant: '', taskId: task.id, id: created.id });
  assert.equal((await push(scene, readConfig(scene).token, newUpdate(task.id, 'TASK_STATE_COMPLETED'))).status, 401);
  const actions = await scene.owner('GET', `/v1/actions?agent_id=${scene.agent.id}&limit=50`);
  assert.ok(!actions.text.includes(token), 'no action has the token');
});

test('receiveA2aNotification records the state of the task, which its agent lists', async () => {
  const scene = await newVerified();
  const { taskId, token } = await startRunning(scene);
  const accepted = await push(scene, token, newUpdate(taskId, 'TASK_STATE_INPUT_REQUIRED'));
  assert.equal(accepted.status, 200, accepted.text);
  assert.equal(await readState(scene, taskId), 'TASK_STATE_INPUT_REQUIRED');
  assert.equal((await push(scene, token, { task: { id: taskId, contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } } })).status, 200);
  assert.equal((await push(scene, token, newUpdate(taskId))).json.error.code, 'CONFLICT');
  assert.equal(await readState(scene, taskId), 'TASK_STATE_COMPLETED');
});

test('receiveA2aNotification accepts the token only: not a forged one, of another task, connection or organization', async () => {
  const [scene, other] = [await newVerified(), await newVerified()];
  const [first, second, foreign] = [await startRunning(scene), await startRunning(scene), await startRunning(other)];
  const tries: readonly [string, Promise<TestResponse>][] = [
    ['no token', push(scene, undefined, newUpdate(first.taskId))],
    ['a forged token', push(scene, `${first.token.slice(0, -1)}${first.token.endsWith('0') ? '1' : '0'}`, newUpdate(first.taskId))],
    ['an endless token', push(scene, 'a'.repeat(5_000), newUpdate(first.taskId))],
    ['another task of the agent', push(scene, first.token, newUpdate(second.taskId))],
    ['a task of another organization', push(scene, first.token, newUpdate(foreign.taskId))],
    ['the token at the connection of another organization', push(scene, first.token, newUpdate(first.taskId), other.path)],
    ['the token of another organization', push(scene, foreign.token, newUpdate(first.taskId))],
    ['an unknown connection', push(scene, first.token, newUpdate(first.taskId), '/gateway/v1/a2a/a2a_01J00000000000000000000000')],
    ['the token of the agent', push(scene, scene.token.slice(0, 90), newUpdate(first.taskId))],
  ];
  for (const [name, answer] of tries) assert.equal((await answer).status, 401, `${name}: ${(await answer).text}`);
  assert.equal(await readState(scene, first.taskId), 'TASK_STATE_WORKING');
  const database = await planes.database.client();
  const { rows } = await database.query('select token_hash from a2a_push_configs where connection_id = $1', [scene.connectionId]);
  await database.end();
  assert.equal(rows.length, 2);
  assert.ok(!JSON.stringify(rows).includes(first.token), 'the token itself is not stored');
});

test('receiveA2aNotification: a token that has no task yet does not take the task of another agent', async () => {
  const scene = await newVerified();
  const { taskId } = await startRunning(scene);
  const agent = await newAgent(scene.tenant);
  await scene.owner('POST', `/v1/agents/${agent.id}/capabilities`, { capability: scene.toolName });
  const { tool_id } = (await scene.owner('GET', `/v1/a2a/connections/${scene.connectionId}`)).json;
  await scene.owner('POST', `/v1/tools/${tool_id}/agents`, { agent_id: agent.id });
  const token = await mintToken(planes.gatewayUrl, agent);
  let answer: TestResponse | undefined;
  scene.remote.before = (path, response, body) => {
    if (path !== '/a2a') return false;
    const { id, params } = JSON.parse(body);
    const unbound = params.configuration.taskPushNotificationConfig.token;
    void push(scene, unbound, newUpdate(taskId, 'TASK_STATE_FAILED')).then((pushedNow) => {
      answer = pushedNow;
      const task = { id: 'task-of-the-second', contextId: 'd', status: { state: 'TASK_STATE_WORKING' } };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result: { task } }));
    });
    return true;
  };
  const configuration = { taskPushNotificationConfig: { url: pushUrl(scene) } };
  const sent = await scene.ask('SendMessage', { message: newA2aMessage('task'), configuration }, { token });
  assert.ok(sent.json.result?.task, sent.text);
  assert.equal(answer?.status, 401, answer?.text);
  assert.equal(await readState(scene, taskId), 'TASK_STATE_WORKING');
});

test('receiveA2aNotification refuses a repeated notification, also of two at once, and more than a token is good for', async () => {
  const scene = await newVerified();
  const { taskId, token } = await startRunning(scene);
  const update = newUpdate(taskId);
  const both = await Promise.all([push(scene, token, update), push(scene, token, update)]);
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409].toSorted(), JSON.stringify(both.map(({ text }) => text)));
  assert.match((await push(scene, token, update)).text, /received before/);
  const database = await planes.database.client();
  await database.query("update a2a_push_configs set seen = array_fill('x'::text, array[$2::int]) where connection_id = $1", [
    scene.connectionId,
    LIMITS.a2a.notificationsPerTokenMax,
  ]);
  await database.end();
  assert.match((await push(scene, token, newUpdate(taskId))).text, /at most 200 notifications/);
});

test('a block refuses push notifications at once, is recorded once, and ends the token', async () => {
  const scene = await newVerified();
  const { taskId, token } = await startRunning(scene);
  assert.equal((await scene.block()).status, 200);
  const refused = await push(scene, token, newUpdate(taskId, 'TASK_STATE_COMPLETED'));
  assert.equal(refused.json.error?.code, 'A2A_CONNECTION_BLOCKED', refused.text);
  assert.equal((await push(scene, token, newUpdate(taskId, 'TASK_STATE_COMPLETED'))).status, 401);
  const { data } = (await scene.owner('GET', '/v1/audit-events?type=a2a.interaction_blocked&limit=50')).json;
  assert.deepEqual(
    data.map((event: { data: { method: string; task_id: string } }) => [event.data.method, event.data.task_id]),
    [['PushNotification', taskId]],
  );
});

test('push notifications for an agent that lost the tool, or is paused, are refused', async () => {
  const scene = await newVerified();
  const { taskId, token } = await startRunning(scene);
  const { tool_id } = (await scene.owner('GET', `/v1/a2a/connections/${scene.connectionId}`)).json;
  const removed = await scene.owner('DELETE', `/v1/tools/${tool_id}/agents/${scene.agent.id}`);
  assert.ok(removed.status < 300, removed.text);
  assert.equal((await push(scene, token, newUpdate(taskId))).json.error?.code, 'AGENT_NOT_OPERATIONAL');
  await scene.owner('POST', `/v1/tools/${tool_id}/agents`, { agent_id: scene.agent.id });
  assert.equal((await push(scene, token, newUpdate(taskId))).status, 200);
  assert.equal((await scene.owner('POST', `/v1/agents/${scene.agent.id}/pause`, { reason: 'test' })).status, 200);
  assert.equal((await push(scene, token, newUpdate(taskId))).json.error?.code, 'AGENT_NOT_OPERATIONAL');
});

test('receiveA2aNotification answers what is no notification with the position of the fault', async () => {
  const scene = await newVerified();
  const { taskId, token } = await startRunning(scene);
  const wrong: readonly [object, RegExp][] = [
    [{}, /exactly one/],
    [{ task: {}, message: {} }, /exactly one/],
    [{ task: 'x' }, /\/task/],
    [{ statusUpdate: { status: {} } }, /name its task/],
    [{ statusUpdate: { taskId: 'x'.repeat(500) } }, /name its task/],
    [{ statusUpdate: { taskId, status: { state: 'done' } } }, /\/statusUpdate\/status\/state/],
  ];
  for (const [body, expected] of wrong) {
    const { status, text } = await push(scene, token, body);
    assert.ok(status >= 400 && status < 500, text);
    assert.match(text, expected);
  }
  const large = await push(scene, token, { task: { id: taskId, text: 'x'.repeat(LIMITS.a2a.notificationBytesMax) } });
  assert.match(large.text, /larger than 128 KiB/);
});

test('an agent cannot name an address or a token of its own, and gets -32003 where the remote agent sends no push notifications', async () => {
  const scene = await newVerified();
  const message = newA2aMessage('task');
  const own: readonly object[] = [
    { taskPushNotificationConfig: { url: 'https://evil.example/hook' } },
    { taskPushNotificationConfig: { url: 'http://169.254.169.254/latest' } },
    { taskPushNotificationConfig: { url: `${planes.gatewayUrl}/gateway/v1/a2a/a2a_01J00000000000000000000000/notifications` } },
    { taskPushNotificationConfig: { url: pushUrl(scene), token: 'mine' } },
    { taskPushNotificationConfig: { url: pushUrl(scene), authentication: { scheme: 'Bearer', credentials: 'mine' } } },
    { taskPushNotificationConfig: null },
    { task_push_notification_config: { url: 'https://evil.example/hook' } },
  ];
  for (const configuration of own) {
    const { json, text } = await scene.ask('SendMessage', { message, configuration });
    assert.ok(json.error, text);
  }
  assert.equal(scene.remote.received.length, 0);
  const { taskId } = await startRunning(scene);
  const stolen = await scene.ask('CreateTaskPushNotificationConfig', { taskId: 'of-nobody', url: pushUrl(scene) });
  assert.equal(stolen.json.error?.code, -32_001, stolen.text);
  assert.ok((await scene.ask('CreateTaskPushNotificationConfig', { taskId, url: 'https://evil.example/hook' })).json.error);
  const silent = await newVerified(false);
  assert.equal((await silent.ask('ListTaskPushNotificationConfigs', { taskId })).json.error.code, -32_003);
  const asked = await silent.ask('SendMessage', { message, configuration: { taskPushNotificationConfig: { url: pushUrl(silent) } } });
  assert.match(asked.text, /push notifications/);
  assert.equal(silent.remote.received.length, 0);
});
