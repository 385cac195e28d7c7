import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Explanation } from '@svc/sdk/wire/answers.ts';
import { formatDecidingRule, formatEvaluatedRules, formatRule, formatStages } from './in-words.ts';

const words = new Map([
  ['eq', 'is'],
  ['gt', 'is more than'],
  ['exists', 'is present'],
]);
const rule = (id: string, effect: string) => ({ id, effect, policy_name: 'Refunds', version_number: 3 });
const explanation: Explanation = {
  decision: 'BLOCK',
  matched_rule: rule('never', 'BLOCK'),
  matched_rules: [
    {
      ...rule('never', 'BLOCK'),
      outcome: 'matched',
      conditions: [
        { path: '/all/0', field: 'tool.name', op: 'eq', expected: 'pay', actual: 'pay', outcome: 'true', unknown_because: null },
        { path: '/all/1', field: 'amount', op: 'gt', expected: 10, actual: 11, outcome: 'true', unknown_because: null },
      ],
    },
    {
      ...rule('labelled', 'ALLOW'),
      outcome: 'unknown',
      conditions: [
        { path: '', field: 'agent.labels.team', op: 'eq', expected: 'x', outcome: 'unknown', unknown_because: 'missing' },
        { path: '', field: 'parameters.note', op: 'exists', outcome: 'false', unknown_because: null },
      ],
    },
  ],
  skipped_rules: 2,
  authority: {},
  risk: {},
  stages: [
    { stage: 'identity', outcome: 'passed' },
    { stage: 'tool', outcome: 'passed' },
    { stage: 'policy', outcome: 'refused', code: 'ACTION_BLOCKED' },
  ],
};

test('every rule is printed with each condition, its value, and which one decided', () => {
  assert.deepEqual(formatEvaluatedRules(explanation, words), [
    'never     BLOCK             matches, and decides: the strictest match wins',
    '  yes  tool.name is "pay"',
    '  yes  amount is more than 10; it is 11',
    'labelled  ALLOW             is unknown',
    '  ?    agent.labels.team is "x"; it is missing',
    '  no   parameters.note is present',
    '(2 more rules are for other tools)',
  ]);
  assert.equal(formatDecidingRule(explanation), 'rule never of policy "Refunds", version 3, says BLOCK');
});

test('no matching rule is printed as a refusal', () => {
  const nothing = { ...explanation, matched_rule: null, matched_rules: [], skipped_rules: 1 };
  assert.equal(formatDecidingRule(nothing), 'no rule matches, so it is refused');
  assert.deepEqual(formatEvaluatedRules(nothing, words), ['(1 more rule is for other tools)']);
});

test('passed stages come first, then the one that stopped it', () => {
  assert.equal(formatStages(explanation), 'passed: identity, tool · policy: refused');
});

test('a rule is printed as a sentence, with an unknown operator unchanged', () => {
  const told = formatRule(
    {
      id: 'big',
      effect: 'BLOCK',
      reason: '.',
      when: {
        all: [
          { field: 'amount', op: 'gt', value: 5 },
          { field: 'currency', op: 'neq', value: 'USD' },
        ],
      },
    },
    words,
  );
  assert.equal(told, 'big             BLOCK             when amount is more than 5 and currency neq "USD"');
});
