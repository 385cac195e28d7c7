import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { after, before, test } from 'node:test';
import { Role } from '@a2a-js/sdk';
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from '@a2a-js/sdk/client';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { newA2aMessage } from '@svc/testing/agents/a2a-scene.ts';
import { activateRules } from '@svc/testing/agents/governed.ts';
import { connectInbound, type InboundScene, mintPeerToken, newInboundScene } from '@svc/testing/agents/inbound-scene.ts';
import { MCP_ENV } from '@svc/testing/agents/mcp-scene.ts';
import { startA2aAgent } from '@svc/testing/peers/a2a-agent.ts';
import { call, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import { waitUntil } from '@svc/testing/time/until.ts';

type Arrived = { readonly headers: IncomingHttpHeaders; readonly body: Readonly<Record<string, unknown>> };

/** An inbound scene whose partner receives notifications at /hook, answered with the statuses in turn, then with 200. */
type PushScene = InboundScene & { readonly arrived: Arrived[]; readonly statuses: number[] };

const TOKEN = 'a-token-of-the-partner-0123456789';
const AUTHENTICATION = { scheme: 'Bearer', credentials: 'credentials-of-the-partner-0123456789' };

let planes: Planes;
const scenes: InboundScene[] = [];
before(async () => {
  planes = await leasePlanes({ env: MCP_ENV });
});
after(async () => {
  await Promise.all(scenes.map((scene) => scene.close()));
  await planes.stop();
});

const newPushScene = async (offersPushes = true): Promise<PushScene> => {
  const scene = await newInboundScene(planes, { offersPushes });
  scenes.push(scene);
  assert.equal((await scene.verify()).status, 200);
  const [arrived, statuses]: [Arrived[], number[]] = [[], []];
  scene.partner.before = (path, response, body, headers) => {
    if (path !== '/hook') return false;
    arrived.push({ headers, body: JSON.parse(body) });
    response.writeHead(statuses.shift() ?? 200).end();
    return true;
  };
  const token = await scene.mint();
  const ask: InboundScene['ask'] = (method, params, options) => scene.ask(method, params, { token, ...options });
  return { ...scene, ask, arrived, statuses };
};

const hookUrl = ({ partner }: PushScene): string => `${partner.url}/hook`;
const newConfig = (scene: PushScene, more = {}) => ({ url: hookUrl(scene), token: TOKEN, authentication: AUTHENTICATION, ...more });

/** The push config that the published agent received. */
type AgentConfig = { readonly url: string; readonly token: string };

/** Lets the published agent answer messages with tasks that run. */
const answerRunning = ({ own }: InboundScene): AgentConfig[] => {
  const configs: AgentConfig[] = [];
  own.before = (path, response, body, headers) => {
    if (path !== '/a2a') return false;
    const { id, method, params } = JSON.parse(body);
    const config = params.configuration?.taskPushNotificationConfig ?? (method.startsWith('Create') ? params : undefined);
    if (config !== undefined) configs.push(config);
    own.received.push({ method, headers, body });
    const task = { id: `task-${randomUUID()}`, contextId: 'c', status: { state: 'TASK_STATE_WORKING' } };
    const results: Readonly<Record<string, object>> = {
      CreateTaskPushNotificationConfig: { id: 'x', ...params },
      GetTask: { ...task, id: params.id },
    };
    const result = results[method] ?? { task };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    return true;
  };
  return configs;
};

let pushes = 0;
const pushFromAgent = (config: AgentConfig | undefined, taskId: string, state: string): Promise<TestResponse> => {
  assert.ok(config);
  pushes += 1;
  const { origin, pathname } = new URL(config.url);
  return call(origin, 'POST', pathname, {
    body: { statusUpdate: { taskId, contextId: 'c', status: { state, timestamp: new Date(pushes).toISOString() } } },
    headers: { 'content-type': 'application/a2a+json', 'x-a2a-notification-token': config.token },
  });
};

const start = async (scene: PushScene, configuration: object, text = 'task'): Promise<TestResponse> =>
  scene.ask('SendMessage', { message: newA2aMessage(text), configuration });

const startTask = async (scene: PushScene): Promise<string> => {
  const { json, text } = await start(scene, { taskPushNotificationConfig: newConfig(scene) });
  assert.ok(json.result?.task, text);
  return json.result.task.id;
};

const listStates = ({ arrived }: PushScene) =>
  arrived.map(({ body }) => {
    const { taskId, status } = body.statusUpdate as { readonly taskId: string; readonly status: { readonly state: string } };
    return `${taskId} ${status.state}`;
  });

const listPushEvents = async ({ owner }: InboundScene, type: string) =>
  (await owner('GET', `/v1/audit-events?type=${type}&limit=100`)).json.data.filter(
    ({ data }: { data: { method: string } }) => data.method === 'PushNotification',
  );

test('callAgent: a partner is notified of the states of its task, with its token, and of nothing else', async () => {
  const scene = await newPushScene();
  const configs = answerRunning(scene);
  const taskId = await startTask(scene);
  const [config] = configs;
  assert.equal(config?.url, `${planes.gatewayUrl}/gateway/v1/a2a/${scene.connectionId}/notifications`);
  const answered = await pushFromAgent(config, taskId, 'TASK_STATE_INPUT_REQUIRED');
  assert.equal(answered.status, 200, answered.text);
  await waitUntil('the partner is notified', () => scene.arrived.length === 1);
  const [{ headers, body } = { headers: {}, body: {} }] = scene.arrived;
  assert.deepEqual(
    [headers['x-a2a-notification-token'], headers.authorization, headers['content-type']],
    [TOKEN, `Bearer ${AUTHENTICATION.credentials}`, 'application/a2a+json'],
  );
  const { timestamp, ...status } = (body.statusUpdate as { status: { timestamp: string } }).status;
  assert.deepEqual(
    { ...(body.statusUpdate as object), status },
    { taskId, contextId: 'c', status: { state: 'TASK_STATE_INPUT_REQUIRED' } },
  );
  assert.ok(!Number.isNaN(Date.parse(timestamp)));
  assert.equal((await pushFromAgent(config, taskId, 'TASK_STATE_COMPLETED')).status, 200);
  await waitUntil('the partner is notified of the end', () => scene.arrived.length === 2);
  assert.deepEqual(listStates(scene), [`${taskId} TASK_STATE_INPUT_REQUIRED`, `${taskId} TASK_STATE_COMPLETED`]);
  await waitUntil(
    'the push config ends with its task',
    async () => (await pushFromAgent(config, taskId, 'TASK_STATE_WORKING')).status === 401,
  );
  // Each notification is recorded when it arrives from the agent, and before it is sent to the partner.
  const events = await listPushEvents(scene, 'a2a.interaction_allowed');
  assert.deepEqual(events.map(({ actor }: { actor: { type: string } }) => actor.type).toSorted(), ['AGENT', 'AGENT', 'SYSTEM', 'SYSTEM']);
  const actions = (await scene.owner('GET', `/v1/actions?agent_id=${scene.agent.id}&limit=50`)).json.data;
  const { parameters } = (await scene.owner('GET', `/v1/actions/${actions[0].action_id ?? actions[0].id}`)).json;
  assert.equal(parameters.configuration.taskPushNotificationConfig.target_url, hookUrl(scene));
  const kept = JSON.stringify([events, parameters, scene.own.received]);
  for (const secret of [TOKEN, AUTHENTICATION.credentials]) assert.ok(!kept.includes(secret));
});

test('callAgent: the official client of a partner gets the notifications that the official agent sends', async () => {
  const scene = await newPushScene();
  const token = await scene.mint();
  const fetchImpl: typeof fetch = (input, init = {}) =>
    fetch(input, { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), authorization: `Bearer ${token}` } });
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory({ fetchImpl })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
  });
  const client = await factory.createFromUrl(`${planes.gatewayUrl}/gateway/v1/agents/${scene.agent.id}/`);
  assert.equal((await client.getAgentCard()).capabilities?.pushNotifications, true);
  const config = { tenant: '', id: '', taskId: '', url: hookUrl(scene), token: TOKEN, authentication: undefined };
  const task = await client.sendMessage({
    tenant: '',
    metadata: undefined,
    message: {
      ...{ messageId: randomUUID(), contextId: '', taskId: '', role: Role.ROLE_USER, metadata: undefined, extensions: [] },
      ...{ referenceTaskIds: [], parts: [{ content: { $case: 'text', value: 'task' }, metadata: undefined, filename: '', mediaType: '' }] },
    },
    configuration: { acceptedOutputModes: [], taskPushNotificationConfig: config, historyLength: undefined, returnImmediately: false },
  });
  assert.ok('status' in task);
  const created = await client.createTaskPushNotificationConfig({ ...config, taskId: task.id });
  assert.deepEqual([created.taskId, created.url, created.token], [task.id, hookUrl(scene), '']);
  const { configs } = await client.listTaskPushNotificationConfig({ tenant: '', taskId: task.id, pageSize: 0, pageToken: '' });
  assert.ok(configs.some(({ id, url }) => id === created.id && url === hookUrl(scene)));
  const read = await client.getTaskPushNotificationConfig({ tenant: '', taskId: task.id, id: created.id });
  assert.deepEqual([read.id, read.url, read.token], [created.id, hookUrl(scene), '']);
  await client.deleteTaskPushNotificationConfig({ tenant: '', taskId: task.id, id: created.id });
  const after = await client.listTaskPushNotificationConfig({ tenant: '', taskId: task.id, pageSize: 0, pageToken: '' });
  assert.ok(!after.configs.some(({ id }) => id === created.id));
});

test('callAgent refuses addresses of other hosts and malformed push configs, and sends the agent nothing', async () => {
  const scene = await newPushScene();
  const configs = answerRunning(scene);
  const wrong: readonly unknown[] = [
    null,
    'text',
    {},
    { url: 'https://evil.example/hook' },
    { url: 'http://169.254.169.254/latest' },
    { url: `http://127.0.0.1:${new URL(scene.own.url).port}/hook` },
    { url: `${scene.partner.url.replace('127.0.0.1', 'localhost')}/hook` },
    { url: `${scene.partner.url.replace('http:', 'https:')}/hook` },
    { url: `${scene.partner.url.replace('//', '//user:password@')}/hook` },
    { url: `${hookUrl(scene)}?key=value` },
    { url: `${hookUrl(scene)}#x` },
    { url: `${hookUrl(scene)}/${'x'.repeat(LIMITS.a2a.pushUrlCharsMax)}` },
    newConfig(scene, { token: 'x'.repeat(LIMITS.a2a.pushTokenCharsMax + 1) }),
    newConfig(scene, { token: 'two\r\nlines' }),
    newConfig(scene, { authentication: { scheme: 'Bearer', credentials: 'x\r\ny: z' } }),
    newConfig(scene, { authentication: { scheme: 'Be arer', credentials: 'x' } }),
    newConfig(scene, { authentication: 'Bearer x' }),
  ];
  for (const config of wrong) {
    const { json, text } = await start(scene, { taskPushNotificationConfig: config });
    assert.equal(json.error?.code, -32_602, `${JSON.stringify(config)}: ${text}`);
  }
  const other = await start(scene, { push_notification_config: newConfig(scene) });
  assert.ok(other.json.error, other.text);
  assert.equal(configs.length + scene.own.received.length, 0);
  const taskId = await startTask(scene);
  const created = await scene.ask('CreateTaskPushNotificationConfig', { taskId, url: 'https://evil.example/hook' });
  assert.equal(created.json.error?.code, -32_602, created.text);
  const quiet = await newPushScene(false);
  for (const [method, params] of [
    ['SendMessage', { message: newA2aMessage('task'), configuration: { taskPushNotificationConfig: newConfig(quiet) } }],
    ['ListTaskPushNotificationConfigs', { taskId }],
  ] as const)
    assert.equal((await quiet.ask(method, params)).json.error?.code, -32_003, method);
  assert.equal(quiet.own.received.length, 0);
});

test('push configs of a partner are unknown to other partners of the agent, and bounded for each task', async () => {
  const scene = await newPushScene();
  answerRunning(scene);
  const taskId = await startTask(scene);
  const stranger = await startA2aAgent();
  const second = await connectInbound(scene, { partner: stranger, own: scene.own, name: 'Second' });
  await scene.owner('POST', `/v1/a2a/connections/${second.connectionId}/verify`, {});
  const audience = (await call(planes.gatewayUrl, 'GET', '/.well-known/oauth-authorization-server', {})).json.issuer;
  const token = await mintPeerToken(planes.gatewayUrl, { connectionId: second.connectionId, key: stranger.key, audience });
  const { configs } = (await scene.ask('ListTaskPushNotificationConfigs', { taskId })).json.result;
  assert.equal(configs.length, 1);
  for (const [method, params] of [
    ['ListTaskPushNotificationConfigs', { taskId }],
    ['GetTaskPushNotificationConfig', { taskId, id: configs[0].id }],
    ['DeleteTaskPushNotificationConfig', { taskId, id: configs[0].id }],
    ['CreateTaskPushNotificationConfig', { taskId, url: `${stranger.url}/hook` }],
  ] as const) {
    const { json, text } = await scene.ask(method, params, { token });
    assert.equal(json.error?.code, -32_001, `${method}: ${text}`);
  }
  await stranger.close();
  const create = () => scene.ask('CreateTaskPushNotificationConfig', { taskId, ...newConfig(scene) });
  for (let count = 1; count < LIMITS.a2a.pushConfigsPerTaskMax; count += 1) {
    const { json, text } = await create();
    assert.equal(json.result?.url, hookUrl(scene), text);
    assert.ok(!text.includes(TOKEN));
  }
  assert.match((await create()).text, /too many push configs/);
});

/** Makes notifications due whose failure is recorded: they wait for another time than a lease. Returns how many there are. */
const pullRetries = async (database: Awaited<ReturnType<Planes['database']['client']>>, taskId: string): Promise<number> => {
  const { rowCount } = await database.query(
    `update a2a_push_configs set due_at = now() where task_id = $1 and attempts > 0 and due_at > now()
        and due_at not between now() + interval '45 seconds' and now() + interval '60 seconds'`,
    [taskId],
  );
  return rowCount ?? 0;
};

test('a notification is repeated until it arrives, and its deletion or a block ends it', async () => {
  const scene = await newPushScene();
  const configs = answerRunning(scene);
  const [failing, deleted, blocked] = [await startTask(scene), await startTask(scene), await startTask(scene)];
  scene.statuses.push(500);
  assert.equal((await pushFromAgent(configs[0], failing, 'TASK_STATE_INPUT_REQUIRED')).status, 200);
  await waitUntil('it is sent', () => scene.arrived.length === 1);
  const database = await planes.database.client();
  await waitUntil('the failure is recorded', async () => (await pullRetries(database, failing)) === 1);
  await waitUntil('it is sent again', () => scene.arrived.length === 2);
  assert.deepEqual(new Set(listStates(scene)), new Set([`${failing} TASK_STATE_INPUT_REQUIRED`]));
  const { configs: known } = (await scene.ask('ListTaskPushNotificationConfigs', { taskId: deleted })).json.result;
  await scene.ask('DeleteTaskPushNotificationConfig', { taskId: deleted, id: known[0].id });
  assert.equal((await pushFromAgent(configs[1], deleted, 'TASK_STATE_COMPLETED')).status, 401);
  // The state of the third task is due when the block arrives.
  await database.query(
    "update a2a_push_configs set told_state = 'TASK_STATE_WORKING', due_at = now() + interval '1 day' where task_id = $1",
    [blocked],
  );
  assert.equal((await scene.block()).status, 200);
  await database.query('update a2a_push_configs set due_at = now() where task_id = $1', [blocked]);
  await waitUntil('the refusal is recorded', async () => (await listPushEvents(scene, 'a2a.interaction_blocked')).length === 1);
  const { rows } = await database.query('select id from a2a_push_configs where task_id = $1', [blocked]);
  await database.end();
  assert.deepEqual(rows, []);
  assert.equal(scene.arrived.length, 2);
});

test('a partner that never answers with success is given up after a bounded number of attempts, which is recorded', async () => {
  const scene = await newPushScene();
  const configs = answerRunning(scene);
  const taskId = await startTask(scene);
  scene.statuses.push(...Array.from({ length: 50 }, () => 503));
  assert.equal((await pushFromAgent(configs[0], taskId, 'TASK_STATE_INPUT_REQUIRED')).status, 200);
  const database = await planes.database.client();
  await waitUntil('the notification is given up', async () => {
    await pullRetries(database, taskId);
    return (await listPushEvents(scene, 'a2a.interaction_blocked')).length === 1;
  });
  const { rows } = await database.query('select id from a2a_push_configs where task_id = $1', [taskId]);
  await database.end();
  assert.deepEqual([rows.length, scene.arrived.length], [0, LIMITS.a2a.pushAttemptsMax]);
  const [event] = await listPushEvents(scene, 'a2a.interaction_blocked');
  assert.equal(event.data.code, 'EXECUTION_FAILED');
});

test('a partner whose message waits for an approval is notified of the decision, and of the task under the id that it knows', async () => {
  const scene = await newPushScene();
  const configs = answerRunning(scene);
  const when = { field: 'parameters.method', op: 'eq', value: 'SendMessage' };
  await activateRules(
    scene.tenant,
    'hold',
    [{ id: 'hold', when, effect: 'REQUIRE_APPROVAL', reason: 'A person looks.' }],
    [{ name: 'held', given: { parameters: { method: 'SendMessage' } }, then: { effect: 'REQUIRE_APPROVAL' } }],
  );
  const database = await planes.database.client();
  const { token } = await insertPerson(database, scene.tenant.organization_id, 'approver');
  await database.end();
  const decide = (taskId: string, how: string, body: object) =>
    mustCall(planes.controlUrl, 'POST', `/v1/approvals/${taskId.slice('held-'.length)}/${how}`, { token, body });
  const approved = await startTask(scene);
  assert.match(approved, /^held-/);
  await decide(approved, 'approve', {});
  await waitUntil('the approval is notified', () => listStates(scene).includes(`${approved} TASK_STATE_SUBMITTED`));
  const read = await scene.ask('GetTask', { id: approved });
  assert.equal(read.json.result?.status.state, 'TASK_STATE_WORKING', read.text);
  const delivered = scene.own.received.findLast(({ method }) => method === 'SendMessage');
  assert.ok(delivered);
  const row = await planes.database.client();
  const { rows } = await row.query('select task_id, told_task_id from a2a_push_configs where connection_id = $1', [scene.connectionId]);
  await row.end();
  const own = rows.find(({ task_id }: { task_id: string }) => !task_id.startsWith('held-'));
  assert.equal(own?.told_task_id, approved);
  assert.equal((await pushFromAgent(configs.at(-1), own.task_id, 'TASK_STATE_COMPLETED')).status, 200);
  await waitUntil('the end is notified', () => listStates(scene).includes(`${approved} TASK_STATE_COMPLETED`));
  const denied = await startTask(scene);
  await decide(denied, 'deny', { reason: 'No.' });
  await waitUntil('the denial is notified', () => listStates(scene).includes(`${denied} TASK_STATE_REJECTED`));
  assert.ok(!JSON.stringify(scene.arrived).includes('No.'));
});
