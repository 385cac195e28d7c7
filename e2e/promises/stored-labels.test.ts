import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { mintToken, newAgent } from '@svc/testing/agents/agent.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { getCode, newFlowScene, reason } from './flow-scene.fixture.ts';

let planes: Planes;
before(async () => {
  planes = await startPlanes({ gateways: 2 });
});
after(() => planes.stop());

const EVE = { to: 'eve@evil.test' };

type Ask = (tool: string, parameters: object, gateway?: number, context?: string) => Promise<string>;

/** Creates a scene with a store of notes, and a number of agents that may use everything by grants of their own. */
const newStore = async (count: number) => {
  const scene = await newFlowScene(planes);
  const { owner, tenant } = scene;
  const set = await owner('PUT', `/v1/environments/${tenant.environment_id}/risk-settings`, { context_scope: 'CONTEXT', reason });
  assert.equal(set.status, 200, set.text);
  for (const [name, flow] of [
    ['notes.write', { store_key_from: '/path' }],
    ['notes.read', { load_key_from: '/path' }],
    ['notes.copy', { load_key_from: '/from', store_key_from: '/to' }],
    ['vault.save', { labels: ['secret'], store_key_from: '/path' }],
  ] as const) {
    const tool = await owner('POST', '/v1/tools', { name, environment_id: tenant.environment_id, required_capability: 'pay', kind: 'SDK' });
    const declared = await owner('PUT', `/v1/tools/${tool.json.id}/flow`, { ...flow, reason });
    assert.equal(declared.status, 200, declared.text);
  }
  const tools = (await owner('GET', '/v1/tools?limit=100')).json.items as { id: string }[];
  const asks: Ask[] = [];
  for (let made = 0; made < count; made += 1) {
    const agent = await newAgent(tenant, { capabilities: ['pay'] });
    for (const { id } of tools) assert.equal((await owner('POST', `/v1/tools/${id}/agents`, { agent_id: agent.id })).status, 201);
    const tokens = new Map<string, Promise<string>>();
    asks.push(async (tool, parameters, gateway = 0, context) => {
      const key = `${gateway} ${context}`;
      const token = tokens.get(key) ?? mintToken(planes.gatewayUrls[gateway] ?? '', agent, 1, context);
      tokens.set(key, token);
      return getCode(scene.ask(tool, parameters, gateway, {}, await token));
    });
  }
  return asks as [Ask, Ask, Ask, Ask];
};

const mayAll = async (asks: readonly Promise<string>[]): Promise<void> => {
  for (const answer of await Promise.all(asks)) assert.equal(answer, 'ALLOWED');
};

test('data that was stored under a key has its labels for every agent and context that reads the key, in any form, on either gateway', async () => {
  const [writer, reader, otherKey, bystander] = await newStore(4);
  const [foreigner] = await newStore(1);
  // Every gateway has a snapshot of each agent without labels.
  await mayAll([writer, reader, otherKey, bystander, foreigner].flatMap((ask) => [0, 1].map((gateway) => ask('mail.send', EVE, gateway))));
  await mayAll([writer('vault.read', {}, 0)]);
  await mayAll([writer('notes.write', { path: 'Notes/plan.txt' }, 0)]);
  for (const [at, path] of ['notes/plan.txt', './notes//x/../PLAN.txt', 'notes\\plan.txt', 'notes%2Fplan.txt'].entries()) {
    await mayAll([reader('mail.send', EVE, at % 2, `task-${at}`)]);
    await mayAll([reader('notes.read', { path }, (at + 1) % 2, `task-${at}`)]);
    for (const gateway of [0, 1]) assert.equal(await reader('mail.send', EVE, gateway, `task-${at}`), 'ACTION_BLOCKED', path);
  }
  await mayAll([writer('notes.read', { path: 'notes/plan.txt' }, 1, 'clean')]);
  assert.equal(await writer('mail.send', EVE, 0, 'clean'), 'ACTION_BLOCKED');
  await mayAll([otherKey('notes.read', { path: 'notes/other.txt' }), foreigner('notes.read', { path: 'notes/plan.txt' })]);
  await mayAll([otherKey, bystander, foreigner].flatMap((ask) => [0, 1].map((gateway) => ask('mail.send', EVE, gateway))));
});

test('labels stay with a key through a copy to another key, a later store without labels, and the people they are about', async () => {
  const [writer, copier, reader, clean] = await newStore(4);
  await mayAll([writer('crm.read', { customer: 'ann@example.com' })]);
  await mayAll([writer('notes.write', { path: 'one' })]);
  await mayAll([copier('notes.read', { path: 'one' }, 1)]);
  await mayAll([copier('notes.write', { path: 'two' }, 0)]);
  await mayAll([clean('notes.write', { path: 'two' })]);
  await mayAll([reader('notes.read', { path: 'two' }, 1)]);
  await mayAll([reader('mail.send', { to: 'ann@example.com' }), clean('mail.send', EVE)]);
  assert.equal(await reader('mail.send', EVE), 'APPROVAL_REQUIRED');
});

test('a request that copies one key to another, or stores its own result, keeps the labels with the new key', async () => {
  const [writer, copier, reader, saver] = await newStore(4);
  await mayAll([writer('crm.read', { customer: 'ann@example.com' })]);
  await mayAll([writer('notes.write', { path: 'one' })]);
  await mayAll([copier('notes.copy', { from: 'one', to: 'two' }, 1), saver('vault.save', { path: 'three' })]);
  await mayAll([reader('notes.read', { path: 'two' })]);
  assert.equal(await reader('mail.send', EVE, 1), 'APPROVAL_REQUIRED');
  await mayAll([reader('notes.read', { path: 'three' }, 1)]);
  assert.equal(await reader('mail.send', EVE), 'ACTION_BLOCKED');
});

test('a store without a readable key labels every key, and a read without one gets the labels of all', async () => {
  const [writer, reader, other, lister] = await newStore(4);
  await mayAll([writer('crm.read', { customer: 'ann@example.com' }), other('vault.read', {})]);
  await mayAll([writer('notes.write', { path: 'known' })]);
  await mayAll([lister('notes.read', {})]);
  assert.equal(await lister('mail.send', EVE), 'APPROVAL_REQUIRED');
  await mayAll([reader('notes.read', { path: 'elsewhere' })]);
  await mayAll([reader('mail.send', EVE)]);
  await mayAll([other('notes.write', { path: ['elsewhere'] })]);
  await mayAll([reader('notes.read', { path: 'elsewhere' }, 1)]);
  assert.equal(await reader('mail.send', EVE), 'ACTION_BLOCKED');
});

test('of concurrent stores under one key, no read that begins after their answers lacks their labels', async () => {
  for (let round = 0; round < 6; round += 1) {
    const [one, two, reader] = await newStore(3);
    await mayAll([one('vault.read', {}, 0), two('crm.read', { customer: 'ann@example.com' }, 1), reader('mail.send', EVE, 0)]);
    await mayAll([one('notes.write', { path: 'k' }, 0), two('notes.write', { path: 'K' }, 1)]);
    await mayAll([reader('notes.read', { path: 'k' }, round % 2)]);
    assert.equal(await reader('mail.send', EVE, (round + 1) % 2), 'ACTION_BLOCKED');
    assert.equal(await reader('mail.send', { to: 'ann@example.com' }, round % 2), 'ACTION_BLOCKED');
  }
});
