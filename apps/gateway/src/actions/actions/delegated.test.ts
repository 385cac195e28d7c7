import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Delegating, newDelegating } from '@svc/testing/agents/delegating.ts';
import { activateRules } from '@svc/testing/agents/governed.ts';
import type { TestResponse } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { advanceTime } from '@svc/testing/time/advance-time.ts';
import type pg from 'pg';

let planes: Planes;
let owner: pg.Client;
before(async () => {
  planes = await leasePlanes();
  owner = await planes.database.client();
});
after(async () => {
  await owner.end();
  await planes.stop();
});

const getCode = ({ json, status }: TestResponse): string => json?.error?.code ?? (status === 200 ? 'allowed' : `${status}`);
const getDecision = ({ json }: TestResponse) => json.error?.details.decision ?? json;
const getAuthority = (answer: TestResponse) => getDecision(answer).explanation.authority;

/** A person delegates to the first agent and that one to the second, which acts. */
const chained = async (first: object = {}, second: object = {}, options: Parameters<typeof newDelegating>[2] = {}) => {
  const scene = await newDelegating(planes, 3, options);
  const root = await scene.root(0, first);
  const child = await scene.child(0, 1, root, second);
  return { scene, root, child };
};

const PAYOUT = { tool: { destination_allowlist: ['api.example.com', 'other.test'], amount_from: '/amount' } };
const MONEY = { max_amount: 500, currency: 'USD' };

describe('an action under a delegation', () => {
  test('is explained link by link, in the response and in the record', async () => {
    const { scene, root, child } = await chained(
      { scope: { capabilities: ['pay', 'read'] }, ceiling: MONEY },
      { scope: { tools: ['pay'] } },
    );
    const answer = await scene.actAs(1, { delegation_id: child, amount: 500, currency: 'USD' });
    assert.equal(getCode(answer), 'allowed', answer.text);
    const authority = getAuthority(answer);
    const [one, two] = scene.agents;
    assert.deepEqual(authority, {
      source: 'DELEGATION',
      capability: 'pay',
      held: true,
      authorized_for_tool: true,
      delegation_id: child,
      named: true,
      depth: 2,
      root_principal: { type: 'USER', id: scene.tenant.user.id },
      chain: [
        {
          delegation_id: root,
          delegator: { type: 'USER', id: scene.tenant.user.id },
          delegate_agent_id: one?.id,
          narrows: [{ field: 'scope.capabilities', removed: { items: ['write'] }, left: { items: ['pay', 'read'] } }],
          ceiling: MONEY,
          expires_at: null,
        },
        {
          delegation_id: child,
          delegator: { type: 'AGENT', id: one?.id },
          delegate_agent_id: two?.id,
          narrows: [{ field: 'scope.tools', removed: null, left: { items: ['pay'] } }],
          ceiling: MONEY,
          expires_at: null,
        },
      ],
    });
    const recorded = await scene.owner('GET', `/v1/actions/${answer.json.action_id}`);
    assert.deepEqual(recorded.json.explanation.authority, authority);
  });

  test('outside any link is refused, with the link and the dimension', async () => {
    const bounds = { scope: { destinations: ['api.example.com'] }, ceiling: MONEY };
    const { scene, root, child } = await chained(bounds, {}, PAYOUT);
    const act = (amount: number, destination: string) => scene.actAs(1, { delegation_id: child, parameters: { amount }, destination });
    assert.equal(getCode(await act(500, 'api.example.com')), 'allowed');
    const over = await act(501, 'api.example.com');
    assert.equal(getCode(over), 'AUTHORITY_EXCEEDED');
    const { delegation_id, at, field, ceiling, requested } = over.json.error.details;
    assert.deepEqual(
      [delegation_id, at, field, ceiling, requested],
      [child, root, 'ceiling.max_amount', MONEY, { amount: 501, currency: 'USD' }],
    );
    assert.equal(getAuthority(over).refused.at, root);
    const ask = { delegation_id: child, parameters: { amount: 501 }, destination: 'api.example.com' };
    const { decision: _decision, ...details } = over.json.error.details;
    const evaluate = (more: object) =>
      scene.owner('POST', '/v1/actions/evaluate', { agent_id: scene.agents[1]?.id, tool: scene.tool.name, ...ask, ...more });
    assert.deepEqual((await evaluate({})).json.details, details);
    assert.deepEqual((await evaluate({ dry_run: true })).json.details, details);
    const keyed = () => scene.act(ask, { token: scene.agents[1]?.token ?? '', key: 'over' });
    const [first, replayed] = [await keyed(), await keyed()];
    assert.deepEqual(replayed.json.error.details.decision.action_id, first.json.error.details.decision.action_id);
    for (const answer of [first, replayed]) {
      const { decision: _, ...told } = answer.json.error.details;
      assert.deepEqual(told, details);
    }
    const elsewhere = await act(1, 'other.test');
    assert.deepEqual([getCode(elsewhere), elsewhere.json.error.details.field], ['AUTHORITY_EXCEEDED', 'scope.destinations']);
    // A declared amount cannot be omitted to pass below a ceiling.
    const left = await scene.actAs(1, { delegation_id: child, parameters: {}, destination: 'api.example.com' });
    assert.equal(getCode(left), 'VALIDATION_FAILED');
  });

  test('of another agent, another tenant or an unknown one is refused alike', async () => {
    const { scene, root } = await chained();
    const { child: foreign } = await chained();
    const never = 'del_01J8Z3V7Q2N4M6K8P0R2T4W6Y8';
    const answers = await Promise.all([root, foreign, never].map((delegation_id) => scene.actAs(1, { delegation_id })));
    const told = answers.map(({ json }, index) => {
      const { code, message } = json.error;
      assert.equal(json.error.details.delegation_id, [root, foreign, never][index]);
      return [code, message, Object.keys(json.error.details).sort()];
    });
    assert.equal(told[0]?.[0], 'DELEGATION_INVALID');
    assert.deepEqual([told[1], told[2]], [told[0], told[0]]);
  });

  test('ends by the clock of the decision, before any job has ended the delegation', async () => {
    const scene = await newDelegating(planes, 2);
    const root = await scene.root(0, { expires_at: new Date(Date.now() + 60_000).toISOString() });
    const child = await scene.child(0, 1, root);
    assert.equal(getCode(await scene.actAs(1, { delegation_id: child })), 'allowed');
    await advanceTime(owner, scene.tenant.organization_id, 61);
    assert.equal(getCode(await scene.actAs(1, { delegation_id: child })), 'DELEGATION_EXPIRED');
  });

  test('waits for a person and uses the chain of that moment', async () => {
    const rules = [{ id: 'ask', effect: 'REQUIRE_APPROVAL', reason: 'A person decides.' }];
    const { scene, root, child } = await chained({}, {}, { rules });
    const held = await scene.actAs(1, { delegation_id: child });
    assert.equal(getCode(held), 'APPROVAL_REQUIRED');
    await scene.owner('POST', `/v1/delegations/${root}/revoke`, { reason: 'test' });
    const again = await scene.actAs(1, { delegation_id: child, approval_id: held.json.error.details.approval_id });
    assert.equal(getCode(again), 'DELEGATION_INVALID');
  });
});

describe('a call limit', () => {
  test('of ten is used exactly ten times by 32 concurrent calls of two agents below it, on two gateways', async () => {
    const { scene, root, child } = await chained({ ceiling: { max_calls: 10 } });
    const sibling = await scene.child(0, 2, root);
    const answers = await Promise.all(
      Array.from({ length: 32 }, (_, n) => scene.actAs(1 + (n % 2), { delegation_id: n % 2 ? sibling : child }, Math.floor(n / 2) % 2)),
    );
    const codes = answers.map(getCode);
    assert.equal(codes.filter((code) => code === 'allowed').length, 10);
    assert.equal(codes.filter((code) => code === 'AUTHORITY_EXCEEDED').length, 22, [...new Set(codes)].join());
    const refused = answers.find((answer) => getCode(answer) !== 'allowed');
    assert.ok(refused);
    assert.deepEqual([getAuthority(refused).refused.at, getAuthority(refused).refused.field], [root, 'ceiling.max_calls']);
    const { decision: _decision, ...details } = refused.json.error.details;
    assert.ok([child, sibling].includes(details.delegation_id));
    assert.deepEqual(
      { ...details, delegation_id: undefined },
      {
        capability: 'pay',
        field: 'ceiling.max_calls',
        ceiling: { max_calls: 10, window_seconds: null },
        requested: 1,
        delegation_id: undefined,
        at: root,
        frees_at: null,
      },
    );
  });

  test('sums the amounts of all agents below it in a window, and each of them stays within its own', async () => {
    const { scene, root, child } = await chained({ ceiling: { ...MONEY, window_seconds: 3600 } }, { ceiling: { max_amount: 300 } });
    const sibling = await scene.child(0, 2, root);
    const spend = async (agent: number, delegation_id: string, amount: number) =>
      getCode(await scene.actAs(agent, { delegation_id, amount, currency: 'USD' }));
    assert.equal(await spend(1, child, 200), 'allowed');
    assert.equal(await spend(1, child, 101), 'AUTHORITY_EXCEEDED');
    assert.equal(await spend(1, child, 100), 'allowed');
    assert.equal(await spend(2, sibling, 201), 'AUTHORITY_EXCEEDED');
    assert.equal(await spend(2, sibling, 200), 'allowed');
    assert.equal(await spend(2, sibling, 1), 'AUTHORITY_EXCEEDED');
  });
});

describe('an action without a delegation', () => {
  test('uses any root delegation that covers it, and the next one when the count of one is used up', async () => {
    const scene = await newDelegating(planes, 1);
    assert.equal(getAuthority(await scene.actAs(0, {})).source, 'GRANT');
    const narrow = await scene.root(0, { scope: { capabilities: ['read'] } });
    assert.equal(getCode(await scene.actAs(0, {})), 'AUTHORITY_EXCEEDED');
    const counted = [await scene.root(0, { ceiling: { max_calls: 1 } }), await scene.root(0, { ceiling: { max_calls: 1 } })];
    const under = [getAuthority(await scene.actAs(0, {})), getAuthority(await scene.actAs(0, {}))].map(({ delegation_id, named }) => {
      assert.equal(named, false);
      return delegation_id;
    });
    assert.deepEqual(under.sort(), counted.sort());
    const full = await scene.actAs(0, {});
    assert.equal(getCode(full), 'AUTHORITY_EXCEEDED');
    assert.ok(counted.includes(getAuthority(full).refused.at));
    for (const id of [narrow, ...counted]) await scene.owner('POST', `/v1/delegations/${id}/revoke`, { reason: 'test' });
    assert.equal(getAuthority(await scene.actAs(0, {})).source, 'GRANT');
  });
});

describe('a delegation', () => {
  test('is available to rules: the distance from the root, and whose authority it is', async () => {
    const { scene, root, child } = await chained();
    await activateRules(scene.tenant, 'far', [
      { id: 'far', effect: 'BLOCK', reason: 'Too far.', when: { field: 'delegation.depth', op: 'gt', value: 1 } },
    ]);
    assert.equal(getDecision(await scene.actAs(1, { delegation_id: child })).explanation.matched_rule.id, 'far');
    assert.equal(getCode(await scene.actAs(0, { delegation_id: root })), 'allowed');
    assert.equal(getCode(await scene.actAs(2, {})), 'allowed');
    await activateRules(scene.tenant, 'whose', [
      {
        id: 'whose',
        effect: 'BLOCK',
        reason: 'Not of theirs.',
        when: { field: 'delegation.root_principal', op: 'eq', value: scene.tenant.user.id },
      },
    ]);
    assert.equal(getCode(await scene.actAs(0, { delegation_id: root })), 'ACTION_BLOCKED');
    assert.equal(getCode(await scene.actAs(2, {})), 'allowed');
  });

  test('that does not cover the request is let through in OBSERVE, with the decision of ENFORCE', async () => {
    const { scene, child }: { scene: Delegating; child: string } = await chained({}, { scope: { capabilities: ['read'] } });
    const path = `/v1/environments/${scene.tenant.environment_id}/gateway-mode`;
    await scene.owner('POST', path, { mode: 'OBSERVE', reason: 'test' });
    const answer = await scene.actAs(1, { delegation_id: child });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual([answer.json.status, answer.json.code], ['OBSERVED', 'AUTHORITY_EXCEEDED']);
    assert.equal(getAuthority(answer).refused.field, 'scope.capabilities');
  });
});
