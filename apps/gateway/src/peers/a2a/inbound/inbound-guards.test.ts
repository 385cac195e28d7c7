import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { newA2aMessage } from '@svc/testing/agents/a2a-scene.ts';
import { activateRules } from '@svc/testing/agents/governed.ts';
import { connectInbound, type InboundScene, mintPeerToken, newInboundScene } from '@svc/testing/agents/inbound-scene.ts';
import { MCP_ENV } from '@svc/testing/agents/mcp-scene.ts';
import { type A2aAgent, startA2aAgent } from '@svc/testing/peers/a2a-agent.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';

let planes: Planes;
const opened: { readonly close: () => Promise<void> }[] = [];
before(async () => {
  planes = await leasePlanes({ env: MCP_ENV });
});
after(async () => {
  await Promise.all(opened.map(({ close }) => close()));
  await planes.stop();
});

const newVerified = async (): Promise<InboundScene> => {
  const scene = await newInboundScene(planes);
  opened.push(scene);
  assert.equal((await scene.verify()).status, 200);
  return scene;
};

/** A second partner of the same agent, with its token. */
const addPartner = async (scene: InboundScene): Promise<{ readonly partner: A2aAgent; readonly token: string }> => {
  const partner = await startA2aAgent();
  opened.push(partner);
  const { connectionId } = await connectInbound(scene, { partner, own: scene.own, name: 'Second' });
  await scene.owner('POST', `/v1/a2a/connections/${connectionId}/verify`, {});
  const audience = (await call(planes.gatewayUrl, 'GET', '/.well-known/oauth-authorization-server', {})).json.issuer;
  return { partner, token: await mintPeerToken(planes.gatewayUrl, { connectionId, key: partner.key, audience }) };
};

const hold = async (scene: InboundScene): Promise<(taskId: string) => Promise<unknown>> => {
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
  return (taskId) => mustCall(planes.controlUrl, 'POST', `/v1/approvals/${taskId.slice('held-'.length)}/approve`, { token, body: {} });
};

const say = (scene: InboundScene, token: string) => scene.ask('SendMessage', { message: newA2aMessage('hello') }, { token });

test('callAgent refuses a token whose signature, header or claims were changed', async () => {
  const [scene, other] = [await newVerified(), await newVerified()];
  const [token, foreign] = [await scene.mint(), await other.mint()];
  const [header = '', payload = '', signature = ''] = token.split('.');
  const [, foreignPayload = ''] = foreign.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const flipped = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
  const forged: readonly (readonly [name: string, token: string])[] = [
    ['another signature', `${header}.${payload}.${flipped}`],
    ['no signature', `${header}.${payload}.`],
    ['the claims of another partner', `${header}.${foreignPayload}.${signature}`],
    ['a later end', `${header}.${encode({ ...claims, exp: claims.exp + 3_600 })}.${signature}`],
    ['another agent', `${header}.${encode({ ...claims, agt: other.agent.id })}.${signature}`],
    ['the algorithm none', `${encode({ alg: 'none', typ: 'x' })}.${payload}.`],
    ['the token of an agent', scene.token],
  ];
  for (const [name, each] of forged) assert.equal((await say(scene, each)).status, 401, name);
  // A genuine token opens the endpoint of its agent alone.
  assert.equal((await say(scene, foreign)).status, 401);
  assert.match((await say(scene, token)).text, /echo: hello/);
  assert.equal(scene.own.received.length, 1);
  assert.equal(other.own.received.length, 0);
});

test('callAgent: a held message is unknown to another partner, and its approval delivers no other message', async () => {
  const scene = await newVerified();
  const second = await addPartner(scene);
  const approve = await hold(scene);
  const token = await scene.mint();
  const held = (await say(scene, token)).json.result.task;
  assert.equal(held.status.state, 'TASK_STATE_AUTH_REQUIRED');
  const asSecond = { token: second.token };
  for (const [method, params] of [
    ['GetTask', { id: held.id }],
    ['CancelTask', { id: held.id }],
    ['SendMessage', { message: newA2aMessage('hello', { taskId: held.id }) }],
  ] as const)
    assert.equal((await scene.ask(method, params, asSecond)).json.error?.code, -32_001, method);
  await approve(held.id);
  assert.equal((await scene.ask('GetTask', { id: held.id }, asSecond)).json.error?.code, -32_001);
  // Approvals belong to the own organization: a partner that names one gets one of its own.
  const approvalId = held.id.slice('held-'.length);
  const named = { message: newA2aMessage('other'), metadata: { 'svc/approval-id': approvalId } };
  const other = await scene.ask('SendMessage', named, { token });
  assert.equal(other.json.result?.task.status.state, 'TASK_STATE_AUTH_REQUIRED', other.text);
  assert.notEqual(other.json.result.task.id, held.id);
  assert.equal(scene.own.received.length, 0);
  const delivered = await scene.ask('GetTask', { id: held.id }, { token });
  assert.match(delivered.text, /echo: hello/);
  assert.equal(scene.own.received.length, 1);
});

test('callAgent: a block refuses every method about every task, and delivers no message that was approved', async () => {
  const scene = await newVerified();
  const token = await scene.mint();
  const task = (await scene.ask('SendMessage', { message: newA2aMessage('task') }, { token })).json.result.task;
  const approve = await hold(scene);
  const held = (await say(scene, token)).json.result.task;
  await approve(held.id);
  const sent = scene.own.received.length;
  assert.equal((await scene.block()).status, 200);
  for (const [method, params] of [
    ['SendMessage', { message: newA2aMessage('hello') }],
    ['SendMessage', { message: newA2aMessage('hello', { taskId: held.id }) }],
    ['GetTask', { id: task.id }],
    ['GetTask', { id: held.id }],
    ['CancelTask', { id: held.id }],
    ['ListTasks', {}],
  ] as const)
    for (const gateway of [0, 1]) {
      const { text } = await scene.ask(method, params, { token, gateway });
      assert.match(text, /A2A_CONNECTION_BLOCKED/, method);
    }
  assert.match(await scene.stream('SubscribeToTask', { id: held.id }, token), /A2A_CONNECTION_BLOCKED/);
  assert.equal(scene.own.received.length, sent);
});

test('callAgent bounds the bytes of a message and the tasks that it refers to', async () => {
  const scene = await newVerified();
  const token = await scene.mint();
  const large = await scene.ask('SendMessage', { message: newA2aMessage('x'.repeat(LIMITS.bodies.requestBytesMax)) }, { token });
  assert.ok(large.status >= 400 && large.status < 500, large.text.slice(0, 200));
  const task = (await scene.ask('SendMessage', { message: newA2aMessage('task') }, { token })).json.result.task;
  const refer = (count: number) =>
    scene.ask(
      'SendMessage',
      { message: newA2aMessage('hello', { referenceTaskIds: Array.from({ length: count }, () => task.id) }) },
      { token },
    );
  assert.match((await refer(LIMITS.a2a.referencesMax)).text, /echo: hello/);
  assert.equal((await refer(LIMITS.a2a.referencesMax + 1)).json.error?.code, -32_001);
});

test('callAgent refuses pages of other sites and other versions of the protocol', async () => {
  const scene = await newVerified();
  const token = await scene.mint();
  const send = (headers: Readonly<Record<string, string>>) =>
    call(planes.gatewayUrl, 'POST', scene.path, {
      token,
      headers: { 'a2a-version': '1.0', ...headers },
      body: { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message: newA2aMessage('hello') } },
    });
  assert.match((await send({ origin: 'https://evil.example' })).json.error.message, /Pages of other sites/);
  assert.equal((await send({ 'a2a-version': '0.3' })).json.error.code, -32_009);
  assert.equal(scene.own.received.length, 0);
});
