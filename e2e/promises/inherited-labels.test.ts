import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { mintToken, newAgent, type TestAgent } from '@svc/testing/agents/agent.ts';
import { call } from '@svc/testing/people/client.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { type FlowScene, getCode, newFlowScene, reason } from './flow-scene.fixture.ts';

let planes: Planes;
before(async () => {
  planes = await startPlanes({ gateways: 2 });
});
after(() => planes.stop());

const EVE = { to: 'eve@evil.test' };
const ANN = { customer: 'ann@example.com' };
const TOOLS = ['crm.read', 'vault.read', 'mail.send'];

type Actor = {
  readonly agent: TestAgent;
  readonly ask: (tool: string, parameters: object, gateway?: number, context?: string, more?: object) => ReturnType<FlowScene['act']>;
  /** Delegates at the gateway, in a session of a context. */
  readonly handOn: (to: Actor, context?: string) => Promise<string>;
};

const newActor = (scene: FlowScene, agent: TestAgent): Actor => {
  const tokens = new Map<string, Promise<string>>();
  const mint = (gateway: number, context?: string): Promise<string> => {
    const key = `${gateway} ${context}`;
    const token = tokens.get(key) ?? mintToken(planes.gatewayUrls[gateway] ?? '', agent, 1, context);
    tokens.set(key, token);
    return token;
  };
  return {
    agent,
    ask: async (tool, parameters, gateway = 0, context = undefined, more = {}) =>
      scene.ask(tool, parameters, gateway, more, await mint(gateway, context)),
    handOn: async (to, context) => {
      const token = await mint(0, context);
      const made = await call(planes.gatewayUrl, 'POST', '/gateway/v1/delegations', { token, body: { delegate_agent_id: to.agent.id } });
      assert.equal(made.status, 201, made.text);
      return made.json.id;
    },
  };
};

/** Creates a planner and helpers that may all use the tools by their own grants, in contexts that count apart. */
const newTeam = async (helpers: number) => {
  const scene = await newFlowScene(planes);
  const { owner, tenant } = scene;
  const set = await owner('PUT', `/v1/environments/${tenant.environment_id}/risk-settings`, { context_scope: 'CONTEXT', reason });
  assert.equal(set.status, 200, set.text);
  const tools = (await owner('GET', '/v1/tools?limit=100')).json.items as { id: string; name: string }[];
  const actors = [newActor(scene, scene.agent)];
  for (let count = 0; count < helpers; count += 1) {
    const agent = await newAgent(tenant, { capabilities: ['pay'] });
    for (const { id } of tools.filter(({ name }) => TOOLS.includes(name)))
      assert.equal((await owner('POST', `/v1/tools/${id}/agents`, { agent_id: agent.id })).status, 201);
    actors.push(newActor(scene, agent));
  }
  return { scene, actors: actors as [Actor, Actor, Actor, Actor] };
};

test('a delegate, and its own delegate, has the labels of the agents above at once on every gateway, for any authority and context', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { actors } = await newTeam(3);
    const [planner, helper, helpersHelper, stranger] = actors;
    await planner.handOn(helper);
    await helper.handOn(helpersHelper);
    // Both gateways have snapshots of all of them.
    for (const actor of actors) for (const gateway of [0, 1]) assert.equal(await getCode(actor.ask('mail.send', EVE, gateway)), 'ALLOWED');
    assert.equal(await getCode(planner.ask('vault.read', {}, round % 2)), 'ALLOWED');
    for (const actor of [helper, helpersHelper])
      for (const gateway of [1, 0])
        for (const context of [undefined, `clean-${round}`])
          assert.equal(await getCode(actor.ask('mail.send', EVE, gateway, context)), 'ACTION_BLOCKED');
    assert.equal(await getCode(stranger.ask('mail.send', EVE, 1)), 'ALLOWED');
  }
});

test('labels from before a delegation are inherited, also through a delegation in the middle that is made last', async () => {
  const { actors } = await newTeam(2);
  const [planner, helper, helpersHelper] = actors;
  await planner.ask('vault.read', {});
  await helper.handOn(helpersHelper);
  for (const gateway of [0, 1]) assert.equal(await getCode(helpersHelper.ask('mail.send', EVE, gateway)), 'ALLOWED');
  await planner.handOn(helper);
  for (const actor of [helper, helpersHelper])
    for (const gateway of [0, 1]) assert.equal(await getCode(actor.ask('mail.send', EVE, gateway)), 'ACTION_BLOCKED');
});

test('a delegate inherits the context in which the agent delegated, and all its contexts if they count together or that is unknown', async () => {
  const { scene, actors } = await newTeam(2);
  const [planner, helper, other] = actors;
  await planner.handOn(helper, 'ann');
  await planner.ask('vault.read', {}, 0, 'bob');
  assert.equal(await getCode(helper.ask('mail.send', EVE, 1)), 'ALLOWED');
  await planner.ask('crm.read', ANN, 1, 'ann');
  assert.equal(await getCode(helper.ask('mail.send', EVE, 0)), 'APPROVAL_REQUIRED');
  assert.equal(await getCode(helper.ask('mail.send', { to: 'ann@example.com' }, 0)), 'ALLOWED');
  const body = { delegate_agent_id: other.agent.id, delegator: { type: 'AGENT', id: planner.agent.id } };
  const made = await scene.owner('POST', '/v1/delegations', body);
  assert.equal(made.status, 201, made.text);
  assert.equal(await getCode(other.ask('mail.send', EVE, 1)), 'ACTION_BLOCKED');
  const path = `/v1/environments/${scene.tenant.environment_id}/risk-settings`;
  await scene.owner('PUT', path, { context_scope: 'AGENT', reason });
  assert.equal(await getCode(helper.ask('mail.send', EVE, 1)), 'ACTION_BLOCKED');
});

test('inherited labels stay after the delegation is revoked, and void an approval that was requested without them', async () => {
  const { scene, actors } = await newTeam(1);
  const [planner, helper] = actors;
  await helper.ask('crm.read', ANN);
  const held = await helper.ask('mail.send', EVE);
  const { approval_id } = held.json.error.details;
  assert.equal((await scene.owner('POST', `/v1/approvals/${approval_id}/approve`, {})).status, 200);
  const delegation = await planner.handOn(helper);
  await planner.ask('vault.read', {});
  const revoked = await scene.owner('POST', `/v1/delegations/${delegation}/revoke`, { reason });
  assert.equal(revoked.status, 200, revoked.text);
  assert.equal(await getCode(helper.ask('mail.send', EVE, 1)), 'ACTION_BLOCKED');
  const used = await helper.ask('mail.send', EVE, 1, undefined, { approval_id });
  assert.notEqual(used.status, 200, used.text);
  assert.equal((await scene.owner('GET', `/v1/approvals/${approval_id}`)).json.status, 'APPROVED');
});

test('of delegations and reads at the same moment, no later request of the delegate is without the labels', async () => {
  for (let round = 0; round < 8; round += 1) {
    const { actors } = await newTeam(1);
    const [planner, helper] = actors;
    await Promise.all([0, 1].map((gateway) => helper.ask('mail.send', EVE, gateway)));
    const [, read] = await Promise.all([
      planner.handOn(helper),
      getCode(planner.ask('vault.read', {}, 1)),
      ...[0, 1, 0, 1].map((gateway) => helper.ask('mail.send', EVE, gateway)),
    ]);
    assert.equal(read, 'ALLOWED');
    const later = await Promise.all([0, 1, 0, 1].map((gateway) => getCode(helper.ask('mail.send', EVE, gateway))));
    assert.deepEqual(new Set(later), new Set(['ACTION_BLOCKED']));
  }
});

test('two agents that delegate to each other and read at the same moment have each other’s labels', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { actors } = await newTeam(1);
    const [one, other] = actors;
    await one.handOn(other);
    await other.handOn(one);
    const reads = await Promise.all([getCode(one.ask('vault.read', {}, 0)), getCode(other.ask('crm.read', ANN, 1))]);
    assert.deepEqual(reads, ['ALLOWED', 'ALLOWED']);
    const sends = await Promise.all([one, other].map((actor) => getCode(actor.ask('mail.send', EVE, 1, 'clean'))));
    assert.deepEqual(sends, ['APPROVAL_REQUIRED', 'ACTION_BLOCKED']);
  }
});
