import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConditionTrace, PolicyRule } from '@svc/contract/policies/language.ts';
import type { PolicyContext } from '../evaluation/policy-context.ts';
import { compileSet } from './compile-set.ts';
import { compileVersion } from './compile-version.ts';
import { evaluate } from './evaluate.ts';
import { listTraceConditions } from './trace-conditions.ts';

const amount = (value: number) => ({ field: 'amount', op: 'gt', value }) as const;
const RULE: PolicyRule = {
  id: 'r',
  effect: 'BLOCK',
  reason: 'y',
  when: {
    all: [
      amount(1),
      { any: [amount(2), { all: [amount(3), { not: amount(4) }] }, amount(5)] },
      { not: { any: [amount(6), amount(7)] } },
      { field: 'parameters.list.*', op: 'eq', value: 8 },
      { field: 'parameters.list.*', op: 'exists' },
      amount(1),
    ],
  },
};
const version = compileVersion({
  ...{ policy_id: 'pol_1', policy_name: 'p', version_id: 'pvr_1', version_number: 1, binding: { scope: 'ORGANIZATION', id: 'org_1' } },
  body: { rules: [RULE], tests: [] },
});
const PLACES = [
  ['/all/0', 'amount', 'gt', 1],
  ['/all/1/any/0', 'amount', 'gt', 2],
  ['/all/1/any/1/all/0', 'amount', 'gt', 3],
  ['/all/1/any/1/all/1/not', 'amount', 'gt', 4],
  ['/all/1/any/2', 'amount', 'gt', 5],
  ['/all/2/not/any/0', 'amount', 'gt', 6],
  ['/all/2/not/any/1', 'amount', 'gt', 7],
  ['/all/3', 'parameters.list.*', 'eq', 8],
  ['/all/4', 'parameters.list.*', 'exists', undefined],
  ['/all/5', 'amount', 'gt', 1],
];
const getPlaces = (conditions: readonly ConditionTrace[] = []) =>
  conditions.map(({ path, field, op, expected }) => [path, field, op, expected]);

test('returns the conditions of a rule as written, depth first, each with its own index', () => {
  const [rule] = version.rules;
  assert.ok(rule !== undefined);
  assert.deepEqual(getPlaces(listTraceConditions(rule)), PLACES);
});

test('traces the same conditions at the same indexes, for any request and any early decision', () => {
  for (const context of [
    {},
    { amount: 0 },
    { amount: 100 },
    { amount: 'many', parameters: { list: [] } },
    { parameters: { list: [8, 9, 8] } },
    { amount: 3, parameters: { list: 'x' } },
    { amount: null, parameters: 5 },
  ])
    assert.deepEqual(
      getPlaces(evaluate(compileSet([version]), context as unknown as PolicyContext).matched_rules[0]?.conditions),
      PLACES,
      JSON.stringify(context),
    );
});

test('returns none for a rule without conditions', () => {
  const [rule] = compileVersion({ ...version.source, body: { rules: [{ id: 'r', effect: 'ALLOW', reason: 'y' }], tests: [] } }).rules;
  assert.ok(rule !== undefined);
  assert.deepEqual(listTraceConditions(rule), []);
});
