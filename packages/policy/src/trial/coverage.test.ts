import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PolicyTestCase, VersionBody } from '@svc/contract/policies/language.ts';
import { compileVersion } from '../judge/compile-version.ts';
import { coverage } from './coverage.ts';

const rules: VersionBody['rules'] = [
  { id: 'allow', effect: 'ALLOW', reason: 'r', when: { field: 'tool.name', op: 'starts_with', value: 'refund.' } },
  { id: 'large', effect: 'REQUIRE_APPROVAL', reason: 'r', when: { field: 'amount', op: 'gt', value: 100 } },
  {
    id: 'night',
    effect: 'BLOCK',
    reason: 'r',
    if_missing: 'match',
    when: { field: 'time.hour', op: 'within_hours', value: '22:00-06:00' },
  },
];

const uncovered = (...given: PolicyTestCase['given'][]): string[] =>
  coverage(
    compileVersion({
      policy_id: 'pol_1',
      policy_name: 'p',
      version_id: 'pvr_1',
      version_number: 1,
      binding: { scope: 'AGENT', id: 'agt_1' },
      body: { rules, tests: given.map((one, index) => ({ name: `test ${index}`, given: one, then: { effect: 'BLOCK' } })) },
    }),
  );

test('reaches no rule without tests', () => {
  assert.deepEqual(uncovered(), ['allow', 'large', 'night']);
});

test('counts a rule as reached by a test in which it matches, even if a stricter one decides', () => {
  assert.deepEqual(uncovered({ 'tool.name': 'refund.create', amount: 500, 'time.hour': 12 }), ['night']);
});

test('counts no rule with a false or unknown condition as reached, but one that matches on missing data', () => {
  assert.deepEqual(uncovered({ 'tool.name': 'other' }), ['allow', 'large']);
  assert.deepEqual(uncovered({ 'tool.name': 'other' }, { amount: 101, 'time.hour': 12 }), ['allow']);
});

test('reaches nothing by a test with an invalid context', () => {
  assert.deepEqual(uncovered({ 'tool.nam': 'refund.create', 'time.hour': 12 }), ['allow', 'large', 'night']);
});
