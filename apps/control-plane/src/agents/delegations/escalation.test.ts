import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newAgent } from '@svc/testing/agents/agent.ts';
import { type Delegating, newDelegating } from '@svc/testing/agents/delegating.ts';
import type { TestResponse } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';

let planes: Planes;
let scene: Delegating;
let owner: pg.Client;
before(async () => {
  planes = await leasePlanes();
  scene = await newDelegating(planes, 5);
  owner = await planes.database.client();
});
after(async () => {
  await owner.end();
  await planes.stop();
});

const IN_A_DAY = new Date(Date.now() + 86_400_000).toISOString();
const agentId = (n: number): string => scene.agents[n]?.id ?? '';
const readEvents = async (subject: string): Promise<{ type: string; data: Record<string, unknown>; actor_type: string }[]> =>
  (await owner.query('select type, data, actor_type from audit_events where subject_id = $1 order by id', [subject])).rows;
const getCode = (answer: TestResponse): string => answer.json?.error?.code ?? `${answer.status}`;
const listFields = (answer: TestResponse): string[] => answer.json.error.details.fields.map((one: { field: string }) => one.field);

const WIDE = {
  scope: { capabilities: ['pay', 'read'], tools: ['pay'], destinations: ['*.example.com'] },
  ceiling: { max_amount: 10_000, currency: 'USD', max_calls: 10, window_seconds: 3600 },
  expires_at: IN_A_DAY,
};

describe('a delegation beyond its parent', () => {
  const asked: readonly (readonly [string, object, string])[] = [
    ['a capability', { scope: { capabilities: ['pay', 'write'] } }, 'scope.capabilities'],
    ['every capability', { scope: { capabilities: null } }, 'scope.capabilities'],
    ['a tool', { scope: { tools: ['pay', 'refund'] } }, 'scope.tools'],
    ['a destination', { scope: { destinations: ['example.com'] } }, 'scope.destinations'],
    ['a destination at another port', { scope: { destinations: ['api.example.com:8443'] } }, 'scope.destinations'],
    ['an amount', { ceiling: { max_amount: 10_001 } }, 'ceiling.max_amount'],
    ['an amount in a currency that cannot be compared', { ceiling: { max_amount: 1, currency: 'CHF' } }, 'ceiling.currency'],
    ['any amount', { ceiling: { max_amount: null, currency: null } }, 'ceiling.max_amount'],
    ['calls', { ceiling: { max_calls: 11 } }, 'ceiling.max_calls'],
    ['the same in a shorter window', { ceiling: { window_seconds: 60 } }, 'ceiling.window_seconds'],
    ['no ceiling', { ceiling: null }, 'ceiling.max_amount'],
    ['time', { expires_at: new Date(Date.now() + 2 * 86_400_000).toISOString() }, 'expires_at'],
    ['time without end', { expires_at: null }, 'expires_at'],
    ['depth', { can_redelegate: true, max_depth: 2 }, 'max_depth'],
  ];
  for (const [what, body, field] of asked) {
    test(`${what}: is refused with the field, the parent's value and the requested one, and is recorded`, async () => {
      const environments = [scene.tenant.environment_id];
      const parent = await scene.root(0, { ...WIDE, scope: { ...WIDE.scope, environments }, max_depth: 2 });
      const refused = await scene.handOn(0, { delegate_agent_id: agentId(1), parent_id: parent, ...body });
      assert.equal(getCode(refused), 'DELEGATION_ESCALATION', refused.text);
      const { parent_id, fields } = refused.json.error.details;
      assert.equal(parent_id, parent);
      const found = fields.find((one: { field: string }) => one.field === field);
      assert.ok(found && 'parent' in found && 'asked' in found, refused.text);
      const event = (await readEvents(parent)).at(-1);
      assert.equal(event?.type, 'delegation.escalation_blocked');
      assert.deepEqual(event?.data.fields, fields);
      assert.equal((await scene.owner('GET', `/v1/delegations?parent_id=${parent}`)).json.length, 0);
    });
  }

  test('is refused for every field at once', async () => {
    const parent = await scene.root(0, WIDE);
    const body = { scope: { capabilities: ['write'] }, ceiling: { max_calls: 99 }, expires_at: null };
    const refused = await scene.handOn(0, { delegate_agent_id: agentId(1), parent_id: parent, ...body });
    assert.deepEqual(listFields(refused).toSorted(), ['ceiling.max_calls', 'expires_at', 'scope.capabilities']);
  });

  test('is refused for an environment next to that of the parent', async () => {
    const { workspace_id, environment_id } = scene.tenant;
    const { json: other } = await scene.owner('POST', '/v1/environments', { workspace_id, name: 'Beside', type: 'STAGING' });
    const parent = await scene.root(0, { scope: { environments: [environment_id] } });
    const refused = await scene.delegate({ delegate_agent_id: agentId(1), parent_id: parent, scope: { environments: [other.id] } });
    assert.deepEqual(listFields(refused), ['scope.environments']);
  });

  test('is limited by every link above, not only the nearest, and by the grants of the agents above', async () => {
    const root = await scene.root(0, WIDE);
    const middle = await scene.child(0, 1, root, { can_redelegate: true, max_depth: 1 });
    await scene.owner('PATCH', `/v1/delegations/${root}`, { scope: { capabilities: ['pay'] } });
    const refused = await scene.handOn(1, { delegate_agent_id: agentId(2), parent_id: middle, scope: { capabilities: ['read'] } });
    assert.deepEqual(listFields(refused), ['scope.capabilities']);
    const poor = await newAgent(scene.tenant, { capabilities: ['read'] });
    const given = await scene.delegate({ delegate_agent_id: poor.id, can_redelegate: true, max_depth: 1 });
    const onward = await scene.delegate({ delegate_agent_id: agentId(1), parent_id: given.json.id, scope: { capabilities: ['pay'] } });
    assert.equal(getCode(onward), 'DELEGATION_ESCALATION');
    assert.deepEqual(onward.json.error.details.fields[0].parent, ['read']);
  });

  test('a retry of the same request with its key gets the same refusal, recorded once', async () => {
    const parent = await scene.root(0, WIDE);
    const body = { delegate_agent_id: agentId(1), parent_id: parent, scope: { capabilities: ['write'] } };
    const [first, second] = [await scene.handOn(0, body, `widen-${parent}`), await scene.handOn(0, body, `widen-${parent}`)];
    assert.deepEqual([getCode(first), getCode(second)], ['DELEGATION_ESCALATION', 'DELEGATION_ESCALATION']);
    assert.deepEqual(second.json.error.details, first.json.error.details);
    assert.equal((await readEvents(parent)).filter(({ type }) => type === 'delegation.escalation_blocked').length, 1);
  });

  test('is refused if the parent cannot be passed on', async () => {
    const parent = await scene.root(0, { can_redelegate: false, max_depth: 0 });
    const refused = await scene.handOn(0, { delegate_agent_id: agentId(1), parent_id: parent });
    assert.equal(getCode(refused), 'DELEGATION_ESCALATION');
    assert.deepEqual(listFields(refused), ['can_redelegate']);
    assert.match(refused.json.error.message, /does not allow further delegation/);
  });
});
