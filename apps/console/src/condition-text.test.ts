import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATORS } from '@svc/contract/policies/language.ts';
import { formatComparison } from '../web/design/condition-text.ts';

test('writes a comparison in words, with amounts as money and without invisible characters', () => {
  for (const [comparison, words] of [
    [{ field: 'amount', op: 'gt', value: 500_000 }, 'amount is more than 5,000.00 USD'],
    [{ field: 'parameters.amount', op: 'in', value: [100, 250] }, 'parameters.amount is one of 1.00 USD, 2.50 USD'],
    [{ field: 'context.source_ip', op: 'cidr', value: '10.0.0.0/8' }, 'context.source_ip is in the network 10.0.0.0/8'],
    [{ field: 'parameters.name', op: 'eq_ignore_case', value: 'a\u200bb' }, 'parameters.name is (ignoring case) a\\u200bb'],
    [{ field: 'tool.dangerous', op: 'is_true' }, 'tool.dangerous is true'],
  ] as const)
    assert.equal(formatComparison(comparison, 'USD'), words);
});

test('has other words for each operator', () => {
  const words = OPERATORS.map((op) => formatComparison({ field: 'x', op }, null));
  assert.equal(new Set(words).size, OPERATORS.length);
});
