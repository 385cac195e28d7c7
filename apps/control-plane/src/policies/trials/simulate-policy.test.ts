import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
let governed: Governed;
const WHEN = {
  all: [
    { field: 'tool.name', op: 'eq', value: 'pay' },
    { field: 'amount', op: 'gt', value: 100 },
  ],
};
const RULES = [
  { id: 'allow', effect: 'ALLOW', reason: 'Small.' },
  { id: 'large', effect: 'BLOCK', when: WHEN, reason: 'Too much.' },
];
const TESTS = [{ name: 'large', given: { 'tool.name': 'pay', amount: 101 }, then: { effect: 'BLOCK', rule: 'large' } }];

before(async () => {
  // Rows of other tests have times that may come: an expiring key or agent.
  planes = await startPlanes();
  governed = await newGoverned(planes, { rules: RULES, tests: TESTS });
});
after(() => planes.stop());

const simulate = (body: object) => governed.owner('POST', '/v1/policies/simulate', { agentId: governed.agent.id, ...body });

/** Returns every row of every table, and every sequence, as one value. */
const everything = async (): Promise<unknown> => {
  const owner = await planes.database.client();
  const { rows: tables } = await owner.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  );
  const contents: unknown[] = [];
  for (const { name } of tables) {
    const { rows } = await owner.query(`select count(*), md5(string_agg(t::text, ',' order by t::text)) from "${name}" t`);
    contents.push([name, rows[0]]);
  }
  contents.push((await owner.query('select sequencename, last_value from pg_sequences order by 1')).rows);
  await owner.end();
  return contents;
};

describe('simulatePolicy', () => {
  test('returns the decision with the trace of each condition', async () => {
    const blocked = await simulate({ tool: 'pay', amount: 101 });
    assert.deepEqual(
      [blocked.status, blocked.json.decision, blocked.json.code, blocked.json.action_id],
      [200, 'BLOCK', 'ACTION_BLOCKED', null],
    );
    const large = blocked.json.explanation.matched_rules.find((rule: { id: string }) => rule.id === 'large');
    assert.deepEqual(
      large.conditions.map((condition: { outcome: string }) => condition.outcome),
      ['true', 'true'],
    );
    assert.equal((await simulate({ tool: 'pay', amount: 100 })).json.decision, 'ALLOW');
  });

  test('works with given values and names missing ones', async () => {
    const partial = await simulate({ tool: 'pay' });
    assert.equal(partial.json.decision, 'ALLOW');
    assert.deepEqual(partial.json.explanation.unknown_fields, ['amount']);
    assert.ok(
      partial.json.explanation.stages.some(
        (stage: { stage: string; outcome: string }) => stage.stage === 'request' && stage.outcome === 'skipped',
      ),
    );
    assert.equal((await simulate({ agentId: undefined, agent_id: governed.agent.id, capability: 'pay' })).status, 200);
  });

  test('reports checks before policy too', async () => {
    await governed.owner('POST', `/v1/agents/${governed.agent.id}/pause`);
    assert.equal((await simulate({ tool: 'pay' })).json.code, 'AGENT_NOT_OPERATIONAL');
    await governed.owner('POST', `/v1/agents/${governed.agent.id}/resume`);
    assert.equal((await simulate({ tool: 'nothing' })).json.code, 'NOT_FOUND');
  });

  test('returns the details of its code, as an evaluation does, and nothing of later checks', async () => {
    const own = await newGoverned(planes, { rules: RULES, tests: TESTS });
    const asked = { agent_id: own.agent.id, tool: own.tool.name, amount: 100, currency: 'EUR' };
    const told = async (path: string) => {
      const { json } = await own.owner('POST', path, asked);
      return { code: json.code, details: json.details };
    };
    const missing = await told('/v1/policies/simulate');
    assert.deepEqual([missing.code, Object.keys(missing.details ?? {}).length > 0], ['UNPROCESSABLE', true]);
    assert.deepEqual(missing, await told('/v1/actions/evaluate'));
    assert.equal((await own.owner('POST', `/v1/agents/${own.agent.id}/pause`)).status, 200);
    const stopped = await told('/v1/policies/simulate');
    assert.equal(stopped.code, 'AGENT_NOT_OPERATIONAL');
    assert.deepEqual(stopped, await told('/v1/actions/evaluate'));
  });

  test('writes nothing: no table, no counter and no sequence differs', async () => {
    const before = await everything();
    for (let n = 0; n < 5; n += 1) assert.equal((await simulate({ tool: 'pay', amount: n * 50 })).status, 200);
    assert.deepEqual(await everything(), before);
  });

  test('refuses an unknown agent, and two different names for it', async () => {
    const { code, message } = (await simulate({ agentId: 'agt_01ARZ3NDEKTSV4RRFFQ69G5FAV' })).json.error;
    assert.deepEqual([code, message], ['NOT_FOUND', 'The agent does not exist.']);
    assert.equal((await simulate({ agent_id: 'agt_01ARZ3NDEKTSV4RRFFQ69G5FAV' })).json.error.code, 'VALIDATION_FAILED');
  });
});

describe('saveSimulation', () => {
  const save = async (body: object) => {
    const [policy] = (await governed.owner('GET', '/v1/policies')).json;
    const answer = await governed.owner('POST', `/v1/policies/${policy.id}/simulations`, body);
    return { policy, answer };
  };

  test('returns the decision and records request and decision for the policy, with secrets masked', async () => {
    const request = { agent_id: governed.agent.id, tool: 'pay', amount: 101, parameters: { password: 'hunter2', n: 1 } };
    const { policy, answer } = await save({ ...request, name: 'A large payment' });
    assert.equal(answer.status, 201, answer.text);
    const { decision, request_id } = answer.json;
    assert.deepEqual([decision.decision, decision.code, answer.json.name], ['BLOCK', 'ACTION_BLOCKED', 'A large payment']);
    const { data } = (await governed.owner('GET', `/v1/audit-events?request_id=${request_id}`)).json;
    assert.deepEqual(
      data.map(({ type, subject }: { type: string; subject: { id: string } }) => [type, subject.id]),
      [['policy.simulated', policy.id]],
    );
    assert.deepEqual(data[0].data.request, { ...request, parameters: { password: '[masked]', n: 1 } });
    assert.deepEqual([data[0].data.decision.effect, data[0].data.decision.matched_rule.id], ['BLOCK', 'large']);
    assert.equal((await governed.owner('GET', '/v1/actions')).json.data?.length ?? 0, 0, 'no action is recorded');
  });

  test('refuses a body above its limit, one without a name, and an unknown policy', async () => {
    const body = { agent_id: governed.agent.id, name: 'Large', parameters: { text: 'x'.repeat(20_000) } };
    assert.equal((await save(body)).answer.json.error.code, 'INVALID_REQUEST');
    assert.equal((await save({ agent_id: governed.agent.id })).answer.json.error.code, 'VALIDATION_FAILED');
    const unknown = await governed.owner('POST', '/v1/policies/pol_7ZZZZZZZZZZZZZZZZZZZZZZZZZ/simulations', { ...body, parameters: {} });
    assert.equal(unknown.json.error.code, 'NOT_FOUND');
  });
});
