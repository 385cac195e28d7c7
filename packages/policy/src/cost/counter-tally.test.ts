import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FieldCondition, PolicyRule } from '@svc/contract/policies/language.ts';
import { newCounterTally } from './counter-tally.ts';

const BOTH = { max_calls: 1, max_amount: 1, window_seconds: 60 };
const CALLS = { max_calls: 1, window_seconds: 60 };

type More = Partial<Pick<PolicyRule, 'when' | 'if_missing' | 'effect'>>;
const limit = (of: NonNullable<PolicyRule['limit']>, more: More = {}) => ({ effect: 'LIMIT', reason: 'x', limit: of, ...more }) as const;
const eq = (field: string, value: string | number): FieldCondition => ({ field, op: 'eq', value });
const times = <Value>(n: number, make: (index: number) => Value): Value[] => Array.from({ length: n }, (_, index) => make(index));

const getBound = (rules: readonly Omit<PolicyRule, 'id'>[]) => {
  const tally = newCounterTally();
  const body = { rules: rules.map((rule, index) => ({ ...rule, id: `r${index}` })), tests: [] };
  const binding = { scope: 'ORGANIZATION', id: 'org_1' } as const;
  tally.add({ policy_id: 'pol_1', policy_name: 'p', version_id: 'pvr_1', version_number: 3, binding, body });
  return tally.bound();
};
const getCounters = (rules: readonly Omit<PolicyRule, 'id'>[]): number => getBound(rules).counters;

test('counts calls and amounts over a window once each, and not the bound of one action', () => {
  assert.equal(getCounters([limit(BOTH), limit(CALLS), limit({ max_amount: 5 }), limit(CALLS, { effect: 'ALLOW' })]), 3);
});

test('does not add up rules about different values of one field, for any field', () => {
  assert.equal(getCounters(times(200, (n) => limit(BOTH, { when: eq('tool.name', `t${n}`) }))), 2);
  assert.equal(getCounters(times(195, (n) => limit(CALLS, { when: eq('parameters.country', n) }))), 1);
  const ofCountries = times(50, (n) => limit(CALLS, { when: { all: [eq('tool.name', 'pay'), eq('parameters.country', n)] } }));
  assert.equal(getCounters(ofCountries), 1, 'told apart by what tells them apart best');
  assert.equal(getCounters([...ofCountries, limit(BOTH, { when: eq('tool.name', 'pay') })]), 3);
});

test('adds up rules that can match one request together', () => {
  assert.equal(getCounters(times(70, () => limit(BOTH))), 140);
  assert.equal(getCounters(times(70, () => limit(CALLS, { when: eq('tool.name', 'pay') }))), 70);
  assert.equal(getCounters(times(70, (n) => limit(CALLS, { when: { not: eq('tool.name', `t${n}`) } }))), 70);
  assert.equal(getCounters(times(70, (n) => limit(CALLS, { when: eq('parameters.list.*', n) }))), 70, 'a list holds many values');
  assert.equal(getCounters(times(70, (n) => limit(CALLS, { when: eq(`parameters.p${n}`, 1) }))), 70);
  assert.equal(getCounters(times(70, (n) => limit(CALLS, { when: eq('parameters.p', n), if_missing: 'match' }))), 70);
  const either = { any: [eq('tool.name', 'pay'), eq('capability', 'pay')] };
  assert.equal(getCounters(times(70, () => limit(CALLS, { when: either }))), 140, 'no fewer than there are');
});

test('names the counting rules with their pointers', () => {
  const { counting } = getBound([limit({ max_amount: 5 }), limit(CALLS), limit(BOTH)]);
  const named = { policy_id: 'pol_1', policy_name: 'p', version_number: 3 };
  assert.deepEqual(counting, [
    { ...named, rule_id: 'r2', pointer: '/rules/2/limit', counters: 2 },
    { ...named, rule_id: 'r1', pointer: '/rules/1/limit', counters: 1 },
  ]);
});
