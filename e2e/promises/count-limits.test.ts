import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type Delegating, newDelegating } from '@svc/testing/agents/delegating.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';

/** Concurrent calls to two alternating control planes, with capacity for a few of them. */
const AT_ONCE = 24;
const ROOM = 3;

let planes: Planes;
let other: Planes;
let owner: pg.Client;
let scene: Delegating;
before(async () => {
  // The timeout is long, so that a queued request is not refused on a slow machine.
  const env = { SVC_DATABASE_TIMEOUT_MS: '60000' };
  planes = await startPlanes({ env });
  other = await startPlanes({ database: planes.database, gateways: 0, env });
  owner = await planes.database.client();
  scene = await newDelegating(planes, 2);
});
after(async () => {
  await owner.end();
  await other.stop();
  await planes.stop();
});

const post = (n: number, path: string, body: object): Promise<TestResponse> =>
  call(n % 2 ? other.controlUrl : planes.controlUrl, 'POST', path, { token: scene.tenant.token, body });

/** Asserts that exactly the permitted number is created, and that all others are refused for the limit. */
const assertExact = async (make: (n: number) => Promise<TestResponse>, room: number): Promise<void> => {
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => make(n)));
  const made = answers.filter(({ status }) => status === 201 || status === 200).length;
  const codes = new Set(answers.filter(({ status }) => status > 201).map(({ json }) => json.error.code));
  assert.deepEqual([made, [...codes]], [room, ['UNPROCESSABLE']]);
};

/** Copies a row with new ids. */
const multiply = async (table: string, id: string, count: number, changed: string): Promise<void> => {
  const columns = `select jsonb_populate_record(t, to_jsonb(t) || ${changed}) as r from ${table} t, generate_series(1, $2::int) as g (n) where t.id = $1`;
  await owner.query(`insert into ${table} select (c.r).* from (${columns}) c`, [id, count]);
};
const numbered = (prefix: string): string => `jsonb_build_object('id', '${prefix}_' || lpad(n::text, 26, '0'))`;

test('concurrently created delegations between two agents stay within the limit', async () => {
  const [from, to] = scene.agents;
  const parent_id = await scene.root(0);
  const first = await scene.child(0, 1, parent_id);
  await multiply('delegations', first, LIMITS.delegations.perPairMax - 1 - ROOM, numbered('del'));
  await assertExact((n) => post(n, '/v1/delegations', { parent_id, delegate_agent_id: to?.id }), ROOM);
  const { rows } = await owner.query('select count(*)::int as n from delegations where delegator_agent_id = $1', [from?.id]);
  assert.deepEqual(rows, [{ n: LIMITS.delegations.perPairMax }]);
});

test('concurrently created bindings of one policy stay within the limit', async () => {
  const policy = (await post(0, '/v1/policies', { name: 'bound often', rules: [{ id: 'a', effect: 'ALLOW', reason: 'x' }], tests: [] }))
    .json;
  const [agent] = scene.agents;
  assert.ok(agent);
  const targets = LIMITS.policies.bindingsPerPolicyMax + AT_ONCE;
  await multiply('agents', agent.id, targets, `${numbered('agt')} || jsonb_build_object('name', 'agent ' || n)`);
  await owner.query(
    `insert into policy_bindings (organization_id, id, policy_id, scope, target_id)
     select $1, 'bnd_' || lpad(n::text, 26, '0'), $2, 'AGENT', 'agt_' || lpad(n::text, 26, '0') from generate_series(1, $3::int) as g (n)`,
    [scene.tenant.organization_id, policy.id, LIMITS.policies.bindingsPerPolicyMax - ROOM - policy.bindings.length],
  );
  const at = (n: number): string => `agt_${String(targets - n).padStart(26, '0')}`;
  await assertExact((n) => post(n, `/v1/policies/${policy.id}/bindings`, { scope: 'AGENT', id: at(n), reason: 'race' }), ROOM);
});

test('concurrently created invariants stay within the limit', async () => {
  const state = (n: number) => post(n, '/v1/policies/invariants', { name: `held ${n}`, at_most: 'REQUIRE_APPROVAL' });
  const first = await state(-1);
  assert.equal(first.status, 201, first.text);
  const changed = `${numbered('pin')} || jsonb_build_object('name', 'held before ' || n)`;
  await multiply('policy_invariants', first.json.id, LIMITS.policies.invariantsMax - 1 - ROOM, changed);
  await assertExact(state, ROOM);
});

test('concurrently created future exchange rates stay within the limit', async () => {
  const effective_at = new Date(Date.now() + 86_400_000).toISOString();
  const store = (n: number) => post(n, '/v1/fx-rates', { base_currency: 'EUR', quote_currency: 'USD', rate: `1.${n + 1}`, effective_at });
  const first = await store(30);
  assert.equal(first.status, 201, first.text);
  await multiply('exchange_rates', first.json.id, LIMITS.exchangeRates.upcomingMax - 1 - ROOM, numbered('fxr'));
  await assertExact(store, ROOM);
});
