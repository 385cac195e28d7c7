import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { POLICY_LIMITS } from '@svc/contract/tables/limits/policy-limits.ts';
import { newGoverned } from '@svc/testing/agents/governed.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
before(async () => {
  planes = await leasePlanes();
});
after(() => planes.stop());

const most = POLICY_LIMITS.decision_counters_max;
const FINE = { id: 'fine', effect: 'ALLOW', reason: 'Fine.' };
const cap = (id: string, more: object = {}) => ({
  id,
  effect: 'LIMIT',
  reason: 'At most so much.',
  limit: { max_calls: 1_000, max_amount: 1_000_000, window_seconds: 3_600 },
  ...more,
});
const caps = (n: number, more?: (index: number) => object) => Array.from({ length: n }, (_, index) => cap(`r${index}`, more?.(index)));
const limited = [{ name: 'limited', given: {}, then: { effect: 'LIMIT' } }];
const blocked = [{ name: 'permits nothing', given: {}, then: { effect: 'BLOCK' } }];

test('as many limits as a decision may count are activated and count, and a further one is refused with what counts', async () => {
  const governed = await newGoverned(planes, { rules: [FINE, ...caps(most / 2)], tests: limited });
  const { status, json } = await governed.act({ amount: 1 });
  assert.equal(status, 200);
  assert.equal(json.explanation.obligations.limits.length, most / 2);
  const one = { name: 'One more', rules: caps(1), tests: blocked };
  const policy = (await governed.owner('POST', '/v1/policies', one)).json;
  const activation = { version_id: policy.versions[0].version_id, reason: 'more' };
  const refused = await governed.owner('POST', `/v1/policies/${policy.id}/activate`, activation);
  assert.equal(refused.status, 422, refused.text);
  assert.equal(refused.json.error.code, 'UNPROCESSABLE');
  assert.match(refused.json.error.message, /one request could be counted 66 times; the maximum is 64/);
  const { counters, counters_max, counting } = refused.json.error.details;
  assert.deepEqual([counters, counters_max, counting.length, counting[0].counters], [66, most, 5, 2]);
  assert.match(counting[0].pointer, /^\/rules\/\d+\/limit$/);
  // Limits of another tool, which none of these requests reaches.
  const apart = caps(100, (n) => ({ id: `apart${n}`, when: { field: 'tool.name', op: 'eq', value: `other-${n}` } }));
  const other = await newGoverned(planes, { rules: [FINE, ...caps(20), ...apart], tests: limited });
  assert.equal((await other.act({ amount: 1 })).status, 200);
});

test('too many active limits together refuse every decision, in any mode, until one is removed', async () => {
  const governed = await newGoverned(planes);
  const elsewhere = (await governed.owner('POST', '/v1/workspaces', { name: 'Elsewhere' })).json;
  const limit = async (workspaceId: string, n: number): Promise<string> => {
    const body = { name: `${n} limits`, rules: caps(n), tests: blocked, binding: { scope: 'WORKSPACE', id: workspaceId } };
    const policy = (await governed.owner('POST', '/v1/policies', body)).json;
    const activation = { version_id: policy.versions[0].version_id, reason: 'limit' };
    const answer = await governed.owner('POST', `/v1/policies/${policy.id}/activate`, activation);
    assert.equal(answer.status, 200, answer.text);
    return policy.id;
  };
  await limit(governed.tenant.workspace_id, most / 2);
  const policyId = await limit(elsewhere.id, 1);
  assert.equal((await governed.act({ amount: 1 })).status, 200);
  // Simulates a binding from before this was checked.
  const database = await planes.database.client();
  await database.query('update policy_bindings set target_id = $1 where policy_id = $2', [governed.tenant.workspace_id, policyId]);
  await database.end();
  const decided = async () => (await governed.act({ amount: 1 })).json.error.code;
  assert.equal(await decided(), 'POLICY_SERVICE_UNAVAILABLE');
  const path = `/v1/environments/${governed.tenant.environment_id}/gateway-mode`;
  assert.equal((await governed.owner('POST', path, { mode: 'OBSERVE', reason: 'test' })).status, 200);
  assert.equal(await decided(), 'POLICY_SERVICE_UNAVAILABLE');
  assert.equal(
    (await governed.owner('POST', `/v1/policies/${policyId}/suspend`, { reason: 'too many', accept_warnings: true })).status,
    200,
  );
  assert.equal((await governed.act({ amount: 1 })).status, 200);
});
