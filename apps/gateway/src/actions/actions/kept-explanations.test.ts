import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';

const RULES = [
  { id: 'known', effect: 'ALLOW', reason: 'A known customer.', when: { field: 'parameters.customer', op: 'exists' } },
  { id: 'much', effect: 'REQUIRE_APPROVAL', reason: 'A person looks at it.', when: { field: 'amount', op: 'gt', value: 1000 } },
];
const TESTS = [{ name: 'known', given: { parameters: { customer: 'c' }, amount: 1 }, then: { effect: 'ALLOW' } }];

let planes: Planes;
let database: pg.Client;
before(async () => {
  planes = await startPlanes({ env: { SVC_DATABASE_TIMEOUT_MS: '1000' } });
  database = await planes.database.client();
});
after(async () => {
  await database.end();
  await planes.stop();
});

const newScene = (): Promise<Governed> => newGoverned(planes, { rules: RULES, tests: TESTS });
const small = { parameters: { customer: 'c' }, amount: 10 };
const byAgent = ({ token }: Governed, id: string): Promise<TestResponse> =>
  call(planes.gatewayUrl, 'GET', `/gateway/v1/actions/${id}`, { token });
const keyFor = async ({ owner, tenant }: Governed): Promise<string> => {
  const body = { name: 'limited', role_id: getBuiltInRole('admin').id, workspace_id: tenant.workspace_id };
  return (await owner('POST', '/v1/api-keys', body)).json.token;
};

describe('the explanation of a recorded action', () => {
  test('omits what the version of its policy contains', async () => {
    const governed = await newScene();
    const { json } = await governed.act(small);
    const { rows } = await database.query('select explanation::text as text from actions where id = $1', [json.action_id]);
    assert.equal(JSON.parse(rows[0].text).folded, 2);
    assert.doesNotMatch(rows[0].text, /A known customer|A person looks|parameters\.customer|exists/);
    assert.equal(json.explanation.matched_rule.reason, 'A known customer.');
  });

  test('is unchanged for readers of the action after its policy was changed, unbound and deleted', async () => {
    const governed = await newScene();
    const key = await keyFor(governed);
    const allowed = await governed.act(small, { key: 'once' });
    const held = (await governed.act({ parameters: {}, amount: 2000 })).json.error.details;
    const path = `/v1/policies/${governed.policyId}`;
    await mustCall(planes.controlUrl, 'PATCH', path, { token: governed.tenant.token, body: { rules: RULES.slice(0, 1), tests: TESTS } });
    assert.equal((await governed.owner('POST', `${path}/suspend`, { reason: 'test' })).status, 200);
    assert.equal((await governed.owner('DELETE', path)).status, 200);
    const read = (of: string) => mustCall(planes.controlUrl, 'GET', of, { token: key });
    assert.equal((await call(planes.controlUrl, 'GET', path, { token: key })).status, 404);

    const id = allowed.json.action_id;
    assert.deepEqual(
      (await byAgent(governed, id)).json.explanation,
      allowed.json.explanation,
      'the agent, at a gateway that decides no more',
    );
    assert.deepEqual((await read(`/v1/actions/${id}`)).explanation, allowed.json.explanation, 'a key of the workspace');
    assert.deepEqual((await read(`/v1/approvals/${held.approval_id}`)).explanation, held.decision.explanation, 'on the card');
    assert.deepEqual(
      (await governed.owner('GET', `/v1/actions/${held.decision.action_id}`)).json.explanation,
      held.decision.explanation,
      'the owner',
    );
    assert.deepEqual((await governed.act(small, { key: 'once' })).json, allowed.json, 'the same request again');
  });

  test('is refused and never partial while its version cannot be read, or is missing', async () => {
    const governed = await newScene();
    const id = (await governed.act(small)).json.action_id;
    await database.query('begin; lock table policy_versions in access exclusive mode');
    const locked = await Promise.all([byAgent(governed, id), governed.owner('GET', `/v1/actions/${id}`)]).finally(() =>
      database.query('rollback'),
    );
    assert.deepEqual(
      locked.map(({ status, json }) => [status, json.error.code]),
      [
        [503, 'DEPENDENCY_UNAVAILABLE'],
        [503, 'DEPENDENCY_UNAVAILABLE'],
      ],
    );
    // Without the triggers that prevent the change.
    await database.query('begin; set local session_replication_role = replica');
    await database.query('delete from policy_versions where policy_id = $1', [governed.policyId]);
    await database.query('commit');
    const gone = [await byAgent(governed, id), await governed.owner('GET', `/v1/actions/${id}`)];
    assert.deepEqual(
      gone.map(({ status, json }) => [status, json.error.code, json.explanation]),
      [
        [500, 'INTERNAL_ERROR', undefined],
        [500, 'INTERNAL_ERROR', undefined],
      ],
    );
  });
});
