import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createScene } from '@svc/testing/scene/scene.ts';

const at = createScene({ steppedUp: true, tenantPerTest: true });

const RULES = [
  { id: 'small', effect: 'ALLOW', when: { field: 'amount', op: 'lte', value: 50_000 }, reason: 'Small.' },
  { id: 'large', effect: 'REQUIRE_APPROVAL', when: { field: 'amount', op: 'gt', value: 50_000 }, reason: 'Large.' },
];
const TESTS = [
  { name: 'small', given: { amount: 1 }, then: { effect: 'ALLOW' } },
  { name: 'large', given: { amount: 50_001 }, then: { effect: 'REQUIRE_APPROVAL', rule: 'large' } },
];

test('checkPolicy runs tests of unsaved rules, and stores nothing', async () => {
  const wrong = [...TESTS, { name: 'wrong', given: { amount: 1 }, then: { effect: 'BLOCK' } }];
  const { status, json } = await at.send('POST', '/v1/policies/check', { rules: RULES, tests: wrong });
  assert.equal(status, 200, JSON.stringify(json));
  assert.deepEqual([json.tests.passed, json.tests.failed, json.untested_rules], [2, 1, []]);
  assert.equal(json.tests.results.find(({ passed }: { passed: boolean }) => !passed).name, 'wrong');
  assert.deepEqual((await at.send('GET', '/v1/policies')).json, []);
});

test('checkPolicy reports faults of rules with their pointers', async () => {
  const { status, json } = await at.send('POST', '/v1/policies/check', { rules: [{ id: 'x', effect: 'PERHAPS', reason: 'r' }] });
  assert.deepEqual([status, json.error.code], [400, 'INVALID_POLICY']);
  assert.match(json.error.details.faults[0].pointer, /^\/rules\/0/);
});

test('checkPolicy proves the invariants with the rules as if they were active', async () => {
  const policy = await at.client.createPolicy({ body: { name: 'Refunds', rules: RULES, tests: TESTS } });
  await at.client.activatePolicy({
    params: { policyId: policy.id },
    body: { version_id: policy.versions[0]?.version_id ?? '', reason: 'test', accept_warnings: true },
  });
  await at.client.createInvariant({
    body: { name: 'Large amounts need a person', when: { field: 'amount', op: 'gt', value: 60_000 }, at_least: 'REQUIRE_APPROVAL' },
  });
  const kept = await at.client.checkPolicy({ body: { policy_id: policy.id, rules: RULES } });
  assert.deepEqual(
    kept.invariants.map(({ verdict }) => verdict),
    ['PROVED'],
  );
  const broken = await at.client.checkPolicy({ body: { policy_id: policy.id, rules: [{ id: 'all', effect: 'ALLOW', reason: 'All.' }] } });
  assert.equal(broken.invariants[0]?.verdict, 'VIOLATED');
  assert.ok(broken.invariants[0]?.counter_example);
});

test('checkPolicy does not find the policy or the binding of another organization', async () => {
  const none = { policy_id: 'pol_01ARZ3NDEKTSV4RRFFQ69G5FAV', rules: RULES };
  assert.equal((await at.send('POST', '/v1/policies/check', none)).status, 404);
  const binding = { scope: 'ENVIRONMENT', id: 'env_01ARZ3NDEKTSV4RRFFQ69G5FAV' };
  assert.equal((await at.send('POST', '/v1/policies/check', { rules: RULES, binding })).status, 404);
});
