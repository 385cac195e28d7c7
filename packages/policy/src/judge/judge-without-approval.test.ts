import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PolicyCondition, PolicyRule } from '@svc/contract/policies/language.ts';
import { POLICY_LIMITS } from '@svc/contract/tables/limits/policy-limits.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { newWorkTally, WORK_OF_REQUEST } from '../cost/work-of-versions.ts';
import { OutOfWork } from '../evaluation/node.ts';
import { compileSet } from './compile-set.ts';
import { compileVersion, type PolicySource } from './compile-version.ts';
import { judge } from './evaluate.ts';

const source = (rules: PolicyRule[], n = 0): PolicySource => ({
  policy_id: `p${n}`,
  policy_name: 'p',
  version_id: `v${n}`,
  version_number: 1,
  binding: { scope: 'ORGANIZATION', id: 'o' },
  body: { rules, tests: [] },
});
const absent: PolicyCondition = { field: 'approval.present', op: 'is_false' };
const ask = (id: string, when: PolicyCondition, quorum = 1): PolicyRule => ({
  id,
  effect: 'REQUIRE_APPROVAL',
  reason: 'r',
  when,
  approval: { quorum },
});

test('returns what rules would require without the present approval, next to an unchanged decision', () => {
  const large: PolicyCondition = { field: 'amount', op: 'gt', value: 5 };
  const rules = [
    ask('small', absent),
    ask('large', { all: [absent, large] }, 3),
    ask('never', { all: [absent, { field: 'amount', op: 'lt', value: 0 }] }),
    ask('always', large, 2),
    { id: 'allow', effect: 'ALLOW' as const, reason: 'r' },
  ];
  const set = compileSet([compileVersion(source(rules))]);
  const asked = (amount: number, present?: boolean) =>
    judge(set, { amount, ...(present === undefined ? {} : { approval: { present } }) }).asked.map(({ rule_id, quorum }) => [
      rule_id,
      quorum,
    ]);
  assert.deepEqual(asked(9, true), [
    ['small', 1],
    ['large', 3],
  ]);
  assert.deepEqual(asked(1, true), [['small', 1]]);
  assert.deepEqual([asked(9, false), asked(9)], [[], []]);
  const { decision } = judge(set, { approval: { present: true } });
  assert.deepEqual(decision.unknown_fields, ['amount']);
  assert.equal(decision.effect, 'ALLOW');
  assert.deepEqual(
    decision.matched_rules.map(({ id, conditions }) => [id, conditions.length]),
    [
      ['small', 1],
      ['large', 2],
      ['never', 2],
      ['always', 1],
      ['allow', 0],
    ],
  );
});

test('grants enough work to judge both ways', () => {
  const tally = newWorkTally();
  const sources: PolicySource[] = [];
  for (let n = 0; n < 1_000; n += 1) {
    const heavy: PolicyCondition = { field: 'parameters.l', op: 'contains', value: `b${n}` };
    const one = source([ask('r', { all: [absent, heavy] })], n);
    tally.add(one);
    if (WORK_OF_REQUEST + tally.bound().work > POLICY_LIMITS.decision_work_max) break;
    sources.push(one);
  }
  assert.ok(sources.length > 5 && sources.length < 1_000, `${sources.length}`);
  const set = compileSet(sources.map(compileVersion));
  const context = {
    approval: { present: true },
    parameters: { l: Array.from({ length: LIMITS.bodies.parametersBytesMax / 2 - 20 }, () => 0) },
  };
  assert.doesNotThrow(() => judge(set, context));
  assert.throws(() => judge(set, context, 1_000), OutOfWork);
});
