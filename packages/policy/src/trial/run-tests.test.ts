import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PolicyRule, PolicyTestCase } from '@svc/contract/policies/language.ts';
import { compileVersion } from '../judge/compile-version.ts';
import { findActivationFaults, runTests } from './run-tests.ts';

const rules: PolicyRule[] = [
  { id: 'refunds', effect: 'ALLOW', reason: 'r', when: { field: 'tool.name', op: 'eq', value: 'refund.create' } },
  {
    id: 'large',
    effect: 'REQUIRE_APPROVAL',
    reason: 'r',
    when: {
      all: [
        { field: 'tool.name', op: 'eq', value: 'refund.create' },
        { field: 'amount', op: 'gt', value: 50_000 },
      ],
    },
  },
  { id: 'no-mail', effect: 'BLOCK', reason: 'r', when: { field: 'tool.name', op: 'eq', value: 'mail.send' } },
  { id: 'trusted', effect: 'ALLOW', reason: 'r', when: { not: { field: 'agent.name', op: 'eq', value: 'bot' } } },
];

const version = (tests: PolicyTestCase[] = []) =>
  compileVersion({
    policy_id: 'pol_1',
    policy_name: 'Refunds',
    version_id: 'pvr_1',
    version_number: 1,
    binding: { scope: 'AGENT', id: 'agt_1' },
    body: { rules, tests },
  });

const refund = (amount: unknown, then: PolicyTestCase['then']): PolicyTestCase => ({
  name: 'refund',
  given: { 'tool.name': 'refund.create', amount },
  then,
});
const getDifference = (one: PolicyTestCase): string | null | undefined => runTests(version(), [one])[0]?.difference;

test('passes a matching case, by effect alone or with its rule', () => {
  const results = runTests(version(), [
    refund(60_000, { effect: 'REQUIRE_APPROVAL' }),
    refund(60_000, { effect: 'REQUIRE_APPROVAL', rule: 'large' }),
  ]);
  assert.deepEqual(
    results.map(({ name, passed, actual, difference }) => ({ name, passed, actual, difference })),
    Array.from({ length: 2 }, () => ({
      name: 'refund',
      passed: true,
      actual: { effect: 'REQUIRE_APPROVAL', rule: 'large' },
      difference: null,
    })),
  );
  assert.equal(results[0]?.decision.matched_rules.length, 3);
});

test('gives the same result for any binding of the version', () => {
  const [elsewhere] = runTests(version(), [
    { name: 't', given: { 'tool.name': 'mail.send', 'agent.id': 'agt_2' }, then: { effect: 'BLOCK', rule: 'no-mail' } },
  ]);
  assert.equal(elsewhere?.passed, true);
});

test('describes in a failing case which effect came and by which rule', () => {
  assert.equal(
    getDifference(refund(60_000, { effect: 'ALLOW' })),
    'Expected ALLOW, got REQUIRE_APPROVAL by rule "large", because rule "trusted" did not match: whether agent.name is "bot" is unknown, because the context has no agent.name.',
  );
});

test('describes in a failing case which condition kept the expected rule from matching', () => {
  assert.equal(
    getDifference(refund(50_000, { effect: 'REQUIRE_APPROVAL', rule: 'large' })),
    'Expected REQUIRE_APPROVAL by rule "large", got ALLOW by rule "refunds", because amount 50000 is not more than 50000.',
  );
  assert.match(
    getDifference({ name: 't', given: { 'tool.name': 'refund.create' }, then: { effect: 'REQUIRE_APPROVAL', rule: 'large' } }) ?? '',
    /whether amount is more than 50000 is unknown, because the context has no amount/,
  );
  assert.match(
    getDifference({ name: 't', given: { 'tool.name': 'x', 'agent.name': 'bot' }, then: { effect: 'ALLOW', rule: 'trusted' } }) ?? '',
    /are false for this context/,
  );
});

test('describes in a failing case that the expected rule could not match, or was overruled', () => {
  assert.match(
    getDifference(refund(1, { effect: 'BLOCK', rule: 'no-mail' })) ?? '',
    /rule "no-mail" could not match this tool or capability/,
  );
  assert.match(
    getDifference(refund(60_000, { effect: 'REQUIRE_APPROVAL', rule: 'refunds' })) ?? '',
    /^Expected REQUIRE_APPROVAL by rule "refunds", got REQUIRE_APPROVAL by rule "large", because rule "refunds" matched too, but a stricter/,
  );
  assert.match(
    getDifference({ name: 't', given: { 'tool.name': 'x', 'agent.name': 'bot' }, then: { effect: 'ALLOW' } }) ?? '',
    /got BLOCK by no rule, because rule "trusted" did not match: its conditions/,
  );
});

test('fails a case with an unvalidated context with a description and does not throw', () => {
  assert.match(getDifference(refund('60000', { effect: 'BLOCK' })) ?? '', /given context is not valid: amount must be a whole number/);
});

test('never activates a version without recorded tests', () => {
  assert.deepEqual(
    findActivationFaults(version()).map((fault) => fault.pointer),
    ['/tests'],
  );
});

test('names the failing test of a version, and reports no fault if all pass', () => {
  const passing = refund(60_000, { effect: 'REQUIRE_APPROVAL' });
  const [fault, ...others] = findActivationFaults(version([passing, refund(60_000, { effect: 'ALLOW' })]));
  assert.equal(fault?.pointer, '/tests/1');
  assert.match(fault?.message ?? '', /"refund" fails. Expected ALLOW/);
  assert.deepEqual(others, []);
  assert.deepEqual(findActivationFaults(version([passing])), []);
});

test('fails a test that expects no match if a rule matches', () => {
  const other: PolicyTestCase = { name: 't', given: { 'tool.name': 'x', 'agent.name': 'bot' }, then: { effect: 'BLOCK', rule: null } };
  assert.equal(getDifference(other), null);
  assert.match(
    getDifference({ ...other, given: { 'tool.name': 'mail.send' } }) ?? '',
    /^Expected BLOCK by no rule, got BLOCK by rule "no-mail"\.$/,
  );
  assert.match(
    getDifference({ ...other, given: { 'agent.name': 'clerk' } }) ?? '',
    /^Expected BLOCK by no rule, got ALLOW by rule "trusted"\.$/,
  );
});
