import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { newTenant, stepUp } from '@svc/testing/people/tenant.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene();

const send = (method: string, path: string, body: object): Promise<TestResponse> =>
  call(s.planes.controlUrl, method, path, { token: s.tenant.token, body });
let made = 0;
const create = async (rules: object[], more: object = {}) => {
  made += 1;
  const answer = await send('POST', '/v1/policies', { name: `Warned ${made}`, rules, ...more });
  assert.equal(answer.status, 201, answer.text);
  return answer.json;
};
const rule = (id: string, effect: string, when?: object) => ({ id, effect, reason: 'r', ...(when ? { when } : {}) });
const pays = { field: 'tool.name', op: 'eq', value: 'pay' };
const above = (value: number) => ({ field: 'amount', op: 'gt', value });
type Warning = { kind: string; rule_id: string; pointer: string; message: string; other_rule_id?: string };
const kinds = ({ warnings }: { warnings: Warning[] }) => warnings.map(({ kind, rule_id, pointer }) => [kind, rule_id, pointer]);

describe('a warning about a saved version', () => {
  test('is returned on creation and change, with the pointer of the rule, and prevents no change', async () => {
    const never = rule('never', 'BLOCK', { all: [above(10), { field: 'amount', op: 'lt', value: 5 }] });
    const policy = await create([rule('all', 'ALLOW', pays), never]);
    assert.deepEqual(kinds(policy), [['never_matches', 'never', '/rules/1/when']]);
    assert.deepEqual(policy.analysis, { complete: true, note: null });
    const patched = await send('PATCH', `/v1/policies/${policy.id}`, {
      rules: [rule('all', 'ALLOW', pays), rule('some', 'BLOCK', above(5))],
    });
    assert.equal(patched.status, 200, patched.text);
    const overlap = patched.json.warnings.find(({ kind }: Warning) => kind === 'overlap');
    assert.deepEqual([overlap.rule_id, overlap.other_rule_id, typeof overlap.example], ['all', 'some', 'object']);
    const described = await send('PATCH', `/v1/policies/${policy.id}`, { description: 'the rules stay' });
    assert.deepEqual(kinds(described.json), kinds(patched.json));
  });

  test('reports an expired rule, which can be activated, since it applied in its time', async () => {
    const own = await newTenant(s.planes);
    await stepUp(s.planes.controlUrl, own);
    const ask = (path: string, body: object): Promise<TestResponse> => call(s.planes.controlUrl, 'POST', path, { token: own.token, body });
    const freeze = rule('freeze', 'BLOCK', { field: 'time.date', op: 'between', value: ['2020-12-21', '2021-01-03'] });
    const tests = [{ name: 't', given: { 'time.date': '2020-12-24' }, then: { effect: 'BLOCK', rule: 'freeze' } }];
    const { json } = await ask('/v1/policies', { name: 'Freeze', rules: [freeze], tests });
    assert.deepEqual(kinds(json), [['over', 'freeze', '/rules/0/when']]);
    const active = await ask(`/v1/policies/${json.id}/activate`, { version_id: json.versions[0].version_id, reason: 'r' });
    assert.equal(active.json.status, 'ACTIVE', active.text);
  });

  test('reports a limit until something permits its actions, and a change that alone permits them', async () => {
    const own = await newTenant(s.planes);
    await stepUp(s.planes.controlUrl, own);
    const ask = (method: string, path: string, body: object): Promise<TestResponse> =>
      call(s.planes.controlUrl, method, path, { token: own.token, body });
    const few = { ...rule('few', 'LIMIT', pays), limit: { max_calls: 3, window_seconds: 3600 } };
    const limits = await ask('POST', '/v1/policies', { name: 'Limits', rules: [few] });
    const [warning] = limits.json.warnings;
    assert.deepEqual([warning.kind, warning.rule_id, warning.example], ['permits_nothing', 'few', { 'tool.name': 'pay' }]);
    const tests = [{ name: 't', given: { tool: { name: 'pay' }, amount: 1 }, then: { effect: 'ALLOW' } }];
    const small = rule('small', 'ALLOW', { all: [pays, { field: 'amount', op: 'lte', value: 100 }] });
    const pay = await ask('POST', '/v1/policies', { name: 'Pay', rules: [small], tests });
    assert.deepEqual(kinds(pay.json), []);
    const version = { version_id: pay.json.versions[0].version_id, reason: 'r' };
    assert.equal((await ask('POST', `/v1/policies/${pay.json.id}/activate`, version)).status, 200);
    const wider = await ask('PATCH', `/v1/policies/${pay.json.id}`, { rules: [rule('small', 'ALLOW', pays)] });
    assert.deepEqual(kinds(wider.json), [['newly_permits', 'small', '/rules/0']]);
    assert.equal(wider.json.warnings[0].example['tool.name'], 'pay');
    const active = { version_id: wider.json.versions[0].version_id, reason: 'r' };
    assert.equal((await ask('POST', `/v1/policies/${pay.json.id}/activate`, active)).status, 200);
    assert.deepEqual(kinds((await ask('PATCH', `/v1/policies/${limits.json.id}`, { rules: [few] })).json), []);
  });

  test('reports a request that can omit what a strict rule reads, by the tools that the policy can apply to', async () => {
    const limit = rule('limit', 'BLOCK', { all: [pays, above(100)] });
    const before = await create([limit]);
    assert.deepEqual(kinds(before), []);
    const { environment_id, workspace_id, organization_id } = s.tenant;
    const tool = { name: 'pay', environment_id, required_capability: 'pay', kind: 'SDK' };
    assert.equal((await send('POST', '/v1/tools', tool)).status, 201);
    for (const binding of [
      { scope: 'ORGANIZATION', id: organization_id },
      { scope: 'WORKSPACE', id: workspace_id },
      { scope: 'ENVIRONMENT', id: environment_id },
    ])
      assert.deepEqual(
        kinds(await create([limit], { binding })).map(([kind]) => kind),
        ['missing_field'],
        binding.scope,
      );
    const other = await send('POST', '/v1/environments', { workspace_id, name: 'Other', type: 'STAGING' });
    assert.deepEqual(kinds(await create([limit], { binding: { scope: 'ENVIRONMENT', id: other.json.id } })), []);
    const told = kinds(await create([{ ...limit, if_missing: 'match' }]));
    assert.deepEqual(
      told.map(([kind]) => kind),
      ['stated_field'],
    );
  });

  test('reports a rule about another kind of environment or workspace than that of its tools', async () => {
    const { workspace_id, organization_id } = s.tenant;
    const elsewhere = (await send('POST', '/v1/workspaces', { name: 'Elsewhere' })).json.id;
    const readEnvironment = async (type: string): Promise<string> => {
      const { json } = await send('POST', '/v1/environments', { workspace_id, name: `Of ${type}`, type });
      const tool = { name: 'told', environment_id: json.id, required_capability: 'tell', kind: 'SDK' };
      assert.equal((await send('POST', '/v1/tools', tool)).status, 201);
      return json.id;
    };
    const [development, production] = [await readEnvironment('DEVELOPMENT'), await readEnvironment('PRODUCTION')];
    const told = { field: 'tool.name', op: 'eq', value: 'told' };
    const readKinds = async (value: string, field: string, scope: string, id: string) =>
      kinds(await create([rule('r', 'BLOCK', { all: [told, { field, op: 'eq', value }] })], { binding: { scope, id } })).map(
        ([kind]) => kind,
      );
    assert.deepEqual(await readKinds('PRODUCTION', 'environment.type', 'ENVIRONMENT', development), ['no_tool']);
    assert.deepEqual(await readKinds('PRODUCTION', 'environment.type', 'ENVIRONMENT', production), []);
    assert.deepEqual(await readKinds('PRODUCTION', 'environment.type', 'ORGANIZATION', organization_id), []);
    assert.deepEqual(await readKinds(elsewhere, 'workspace.id', 'WORKSPACE', workspace_id), ['no_tool']);
    assert.deepEqual(await readKinds(workspace_id, 'workspace.id', 'WORKSPACE', workspace_id), []);
  });

  test('names rules that no recorded test reaches, after a save and a test run', async () => {
    const tests = [{ name: 'large', given: { amount: 200 }, then: { effect: 'BLOCK', rule: 'large' } }];
    const policy = await create([rule('large', 'BLOCK', above(100)), rule('pay', 'ALLOW', pays)], { tests });
    assert.deepEqual(policy.untested_rules, ['pay']);
    const run = (await send('POST', `/v1/policies/${policy.id}/tests/run`, {})).json;
    assert.deepEqual(run.untested_rules, ['pay']);
    const cases = [{ name: 'pays', given: { 'tool.name': 'pay' }, then: { effect: 'ALLOW' } }];
    const preview = (await send('POST', `/v1/policies/${policy.id}/tests/preview`, { cases })).json;
    assert.deepEqual(preview.untested_rules, ['large']);
    const patched = (await send('PATCH', `/v1/policies/${policy.id}`, { tests: [...tests, ...cases] })).json;
    assert.deepEqual(patched.untested_rules, []);
  });
});

test('for the largest version is bounded in time, states that it is incomplete, and delays no one', async () => {
  const list = (index: number) => Array.from({ length: 20 }, (_, each) => `v${index}-${each}`);
  const rules = Array.from({ length: 166 }, (_, index) =>
    rule(`r${index}`, index % 2 ? 'BLOCK' : 'ALLOW', {
      all: [
        { field: `parameters.p${index % 20}`, op: index % 3 ? 'gt' : 'contains', value: index % 3 ? index : `a${index}` },
        { any: [above(index * 10), { not: { field: `parameters.q${index % 7}`, op: 'in', value: list(index) } }] },
      ],
    }),
  );
  const neighbour = await newTenant(s.planes);
  const waits: number[] = [];
  let isOver = false;
  const others = (async () => {
    while (!isOver) {
      const asked = performance.now();
      const { status } = await call(s.planes.controlUrl, 'GET', '/v1/workspaces', { token: neighbour.token });
      assert.equal(status, 200);
      waits.push(performance.now() - asked);
    }
  })();
  const started = performance.now();
  const policies = await Promise.all(Array.from({ length: 4 }, () => create(rules)));
  const tookMs = performance.now() - started;
  isOver = true;
  await others;
  for (const { analysis } of policies) {
    assert.equal(analysis.complete, false);
    assert.match(analysis.note, /time was up/);
  }
  const longest = Math.max(...waits);
  process.stdout.write(`# ${Math.round(tookMs)} ms for four at once; others waited ${Math.round(longest)} ms at most\n`);
  assert.ok(tookMs < 60_000 && longest < Math.max(500, tookMs / 2), `${tookMs} ${longest}`);
});
