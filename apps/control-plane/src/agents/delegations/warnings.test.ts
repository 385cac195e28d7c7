import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Delegating, newDelegating } from '@svc/testing/agents/delegating.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
before(async () => {
  planes = await leasePlanes();
});
after(() => planes.stop());

const told = (warnings: readonly { kind: string; fields: readonly string[] }[]) => warnings.map(({ kind, fields }) => [kind, fields]);
const narrow = { scope: { capabilities: ['read'] }, ceiling: { max_calls: 5 } };
const demand = async ({ owner, tenant }: Delegating): Promise<void> => {
  const answer = await owner('PATCH', `/v1/environments/${tenant.environment_id}`, { requires_delegation: true });
  assert.equal(answer.status, 200, answer.text);
};
const readView = async ({ owner, agents }: Delegating, agent: number, delegationId: string) => {
  const { delegations } = (await owner('GET', `/v1/agents/${agents[agent]?.id}/authority`)).json;
  return told(delegations.find((one: { delegation_id: string }) => one.delegation_id === delegationId).warnings);
};

test('a delegation to an agent with wider own grants warns that it narrows nothing, when created, simulated and read, until its environment requires one', async () => {
  const scene = await newDelegating(planes, 2);
  const ask = { delegate_agent_id: scene.agents[1]?.id, ...narrow };
  const expected = [['narrows_nothing', ['scope.capabilities', 'ceiling']]];
  const delegator = { type: 'AGENT', id: scene.agents[0]?.id };
  const simulated = await scene.owner('POST', '/v1/delegations/simulate', { ...ask, delegator });
  assert.deepEqual(told(simulated.json.warnings), expected, simulated.text);
  const made = await scene.handOn(0, ask);
  assert.deepEqual(told(made.json.warnings), expected, made.text);
  assert.match(made.json.warnings[0].message, /requires_delegation/);
  assert.deepEqual(await readView(scene, 1, made.json.id), expected);
  // The warning is true: the agent can do without the delegation what the delegation leaves out.
  assert.equal((await scene.actAs(1, {})).status, 200);
  assert.equal((await scene.actAs(1, { delegation_id: made.json.id })).json.error.code, 'AUTHORITY_EXCEEDED');
  await demand(scene);
  assert.equal((await scene.actAs(1, {})).json.error.code, 'AUTHORITY_EXCEEDED');
  assert.deepEqual((await scene.handOn(0, ask)).json.warnings, []);
  assert.deepEqual(await readView(scene, 1, made.json.id), []);
});

test('a delegation of a person warns that wider grants return after it ends, and one as wide as the grants does not', async () => {
  const scene = await newDelegating(planes, 1);
  const [agent] = scene.agents;
  const made = await scene.delegate({ delegate_agent_id: agent?.id, ...narrow });
  assert.deepEqual(told(made.json.warnings), [['grants_come_back', ['scope.capabilities', 'ceiling']]]);
  assert.deepEqual(await readView(scene, 0, made.json.id), [['grants_come_back', ['scope.capabilities', 'ceiling']]]);
  assert.equal((await scene.actAs(0, {})).json.error.code, 'AUTHORITY_EXCEEDED');
  await scene.owner('POST', `/v1/delegations/${made.json.id}/revoke`, { reason: 'over' });
  assert.equal((await scene.actAs(0, {})).status, 200);
  const wide = await scene.delegate({ delegate_agent_id: agent?.id, scope: { capabilities: ['pay', 'read', 'write'] } });
  assert.deepEqual(wide.json.warnings, []);
  await demand(scene);
  assert.deepEqual((await scene.delegate({ delegate_agent_id: agent?.id, ...narrow })).json.warnings, []);
});
