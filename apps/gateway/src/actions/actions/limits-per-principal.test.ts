import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Delegating, newDelegating } from '@svc/testing/agents/delegating.ts';
import { call, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { acceptInvitation, invite } from '@svc/testing/people/invite.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
before(async () => {
  planes = await leasePlanes();
});
after(() => planes.stop());

const MAX_CALLS = 3;

const limitedPer = (per?: string): Promise<Delegating> =>
  newDelegating(planes, 3, {
    rules: [
      { id: 'allow', effect: 'ALLOW', reason: 'Allowed here.' },
      {
        id: 'cap',
        effect: 'LIMIT',
        reason: 'So much an hour.',
        limit: { max_calls: MAX_CALLS, window_seconds: 3_600, ...(per ? { per } : {}) },
      },
    ],
    tests: [{ name: 'limited', given: {}, then: { effect: 'LIMIT' } }],
  });

const getCode = ({ json, status }: TestResponse): string => (status === 200 ? 'allowed' : json.error.code);
const count = (answers: readonly TestResponse[], code: string): number => answers.filter((answer) => getCode(answer) === code).length;

/**
 * Lets a person delegate to the first agent, and that one to two helpers; each of the three sends as many requests, concurrently, at two
 * gateways.
 */
const withHelpers = async (scene: Delegating, times: number): Promise<TestResponse[]> => {
  const root = await scene.root(0);
  const under = [root, await scene.child(0, 1, root), await scene.child(0, 2, root)];
  const asked = under.flatMap((delegation_id, agent) => Array.from({ length: times }, (_, n) => ({ delegation_id, agent, n })));
  return await Promise.all(asked.map(({ delegation_id, agent, n }) => scene.actAs(agent, { delegation_id }, n % 2)));
};

test('a limit per root principal is shared by all agents with the authority of one person, concurrently and over two gateways', async () => {
  const scene = await limitedPer('root_principal');
  const answers = await withHelpers(scene, 4);
  assert.deepEqual([count(answers, 'allowed'), count(answers, 'VELOCITY_LIMIT_EXCEEDED')], [MAX_CALLS, 12 - MAX_CALLS]);
  const [refused] = answers.filter(({ status }) => status === 403);
  assert.equal(refused?.json.error.details.limit.per, 'root_principal');
  const limits = refused?.json.error.details.decision.explanation.obligations.limits;
  assert.deepEqual(limits[0].per, 'root_principal');
  const supposed = await scene.owner('POST', '/v1/policies/simulate', { agent_id: scene.agents[0]?.id, tool: scene.tool.name });
  assert.equal(supposed.json.code, 'VELOCITY_LIMIT_EXCEEDED', supposed.text);
});

test('an exhausted ceiling of one person and an exhausted limit of another refuse together, in every mode, and are recorded', async () => {
  const scene = await limitedPer('root_principal');
  const { tenant } = scene;
  const [agent] = scene.agents;
  const ceiling = (max_calls: number) => ({ delegate_agent_id: agent?.id, ceiling: { max_calls, window_seconds: 3_600 } });
  await scene.root(0, ceiling(1));
  const database = await planes.database.client();
  const roles = await mustCall(planes.controlUrl, 'GET', '/v1/roles', { token: tenant.token });
  const { id: role_id } = roles.find(({ name }: { name: string }) => name === 'admin');
  const { code } = await invite(database, tenant, { email: `second-${tenant.organization_id}@example.com`, role_id });
  const { json: second } = await acceptInvitation(planes.controlUrl, code, { name: 'Second', password: 'correct horse battery staple' });
  const other = await call(planes.controlUrl, 'POST', '/v1/delegations', { token: second.token, body: ceiling(100) });
  assert.equal(other.status, 201, other.text);
  const codes = [];
  for (let n = 0; n < 6; n += 1) codes.push(getCode(await scene.actAs(0, {})));
  assert.deepEqual(codes, [...Array(1 + MAX_CALLS).fill('allowed'), ...Array(2).fill('VELOCITY_LIMIT_EXCEEDED')]);
  const kept = await database.query('select status, code from actions where agent_id = $1 and code is not null', [agent?.id]);
  await database.end();
  assert.deepEqual(kept.rows, Array(2).fill({ status: 'BLOCKED', code: 'VELOCITY_LIMIT_EXCEEDED' }));
  assert.equal(getCode(await scene.actAs(0, { dry_run: true })), 'VELOCITY_LIMIT_EXCEEDED');
  const path = `/v1/environments/${tenant.environment_id}/gateway-mode`;
  assert.equal((await scene.owner('POST', path, { mode: 'OBSERVE', reason: 'test' })).status, 200);
  const observed = await scene.actAs(0, {});
  assert.deepEqual([observed.status, observed.json.status, observed.json.code], [200, 'OBSERVED', 'VELOCITY_LIMIT_EXCEEDED']);
});

test('without it each agent has the whole limit', async () => {
  const answers = await withHelpers(await limitedPer(), 4);
  assert.deepEqual([count(answers, 'allowed'), count(answers, 'VELOCITY_LIMIT_EXCEEDED')], [3 * MAX_CALLS, 12 - 3 * MAX_CALLS]);
});

test('an agent that delegated its own grants counts as its own principal', async () => {
  const scene = await limitedPer('root_principal');
  const [first, second] = scene.agents;
  const handedOn = await scene.handOn(0, { delegate_agent_id: second?.id });
  assert.equal(handedOn.status, 201, handedOn.text);
  assert.equal(handedOn.json.delegator.id, first?.id);
  const codes = [
    getCode(await scene.actAs(0, {})),
    getCode(await scene.actAs(1, { delegation_id: handedOn.json.id })),
    getCode(await scene.actAs(0, {})),
    getCode(await scene.actAs(1, { delegation_id: handedOn.json.id })),
  ];
  assert.deepEqual(codes, ['allowed', 'allowed', 'allowed', 'VELOCITY_LIMIT_EXCEEDED']);
});
