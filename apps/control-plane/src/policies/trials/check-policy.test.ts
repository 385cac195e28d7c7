import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
let governed: Governed;
before(async () => {
  planes = await leasePlanes();
  governed = await newGoverned(planes);
});
after(() => planes.stop());

const check = (body: object) => governed.owner('POST', '/v1/policies/check', body);
const over = (value: number) => ({ field: 'amount', op: 'gt', value });
const ALLOW = { id: 'allow', effect: 'ALLOW', reason: 'Allowed.' };
const NEVER = { id: 'never', effect: 'BLOCK', when: { all: [over(10), { field: 'amount', op: 'lt', value: 5 }] }, reason: 'r' };
const LARGE = { id: 'large', effect: 'BLOCK', when: over(100), reason: 'Too much.' };
const TEST = { name: 'large', given: { amount: 101 }, then: { effect: 'BLOCK', rule: 'large' } };

test('checkPolicy states warnings, test results and untested rules of rules that are not saved, and saves nothing', async () => {
  const before = (await governed.owner('GET', '/v1/policies')).json;
  const answer = await check({ rules: [ALLOW, LARGE, NEVER], tests: [TEST, { ...TEST, name: 'fails', given: { amount: 1 } }] });
  assert.equal(answer.status, 200, answer.text);
  const { warnings, tests, untested_rules, replay, replay_note } = answer.json;
  assert.ok(warnings.some(({ kind, rule_id }: { kind: string; rule_id: string }) => kind === 'never_matches' && rule_id === 'never'));
  assert.deepEqual([tests.passed, tests.failed], [1, 1]);
  assert.match(tests.results[1].difference, /Expected BLOCK/);
  assert.deepEqual([untested_rules, replay], [['never'], null]);
  assert.match(replay_note, /nothing to compare/);
  assert.deepEqual((await governed.owner('GET', '/v1/policies')).json, before);
});

test('checkPolicy replays recorded actions against the active version of the policy', async () => {
  await governed.act({ amount: 500, currency: 'USD' });
  const answer = await check({ policy_id: governed.policyId, rules: [ALLOW, LARGE], tests: [TEST], days: 1 });
  assert.equal(answer.status, 200, answer.text);
  const { actions, examples } = answer.json.replay;
  assert.deepEqual([actions.newly_blocked, actions.newly_allowed], [1, 0]);
  assert.deepEqual([examples[0].from.effect, examples[0].to.effect, examples[0].to.rule], ['ALLOW', 'BLOCK', 'large']);
  assert.equal((await check({ policy_id: governed.policyId, rules: [ALLOW] })).json.replay, null);
});

test('checkPolicy points at faults, and knows no policy of another organization', async () => {
  const broken = await check({ rules: [{ id: 'x', effect: 'NO_SUCH', reason: 'r' }] });
  assert.deepEqual([broken.json.error.code, broken.json.error.details.faults[0].pointer], ['INVALID_POLICY', '/rules/0/effect']);
  const other = await newGoverned(planes);
  const foreign = await check({ policy_id: other.policyId, rules: [ALLOW] });
  assert.equal(foreign.json.error.code, 'NOT_FOUND');
  assert.equal((await check({ rules: [ALLOW], currency: 'XXX' })).json.error.code, 'VALIDATION_FAILED');
});
