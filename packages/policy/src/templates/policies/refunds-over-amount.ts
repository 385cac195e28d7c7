import { type PolicyTemplate, parameter } from '../form/policy-template.ts';
import { amount, capability, count } from '../form/template-values.ts';

export const refundsOverAmount: PolicyTemplate = {
  id: 'refunds-over-amount',
  name: 'Refunds over an amount require approval',
  description:
    'Allows refunds up to an amount, and requires approval for larger refunds and refunds of unknown amount. The total of all refunds in a day is limited too, including approved ones.',
  parameters: [
    parameter({
      name: 'amount',
      sentence: 'The largest refund without approval, in minor units of the currency of the policy.',
      kind: amount,
      default: 50_000,
      places: {
        '/rules/0/when/all/1/value': (value) => value,
        '/rules/0/reason': (value, { money }) => `Refunds over ${money(value)} require approval.`,
        '/rules/2/reason': (value, { money }) => `Refunds up to ${money(value)} are allowed.`,
        '/tests/0/given/amount': (value) => value,
        '/tests/1/given/amount': (value) => value + 1,
      },
    }),
    parameter({
      name: 'sum',
      sentence: 'Maximum total of refunds of an agent per day, in minor units of the currency of the policy.',
      kind: amount,
      default: 200_000,
      places: {
        '/rules/1/limit/max_amount': (value) => value,
        '/rules/1/reason': (value, { money }) => `Refunds are limited to ${money(value)} per day.`,
      },
    }),
    parameter({
      name: 'count',
      sentence: 'Maximum number of refunds of an agent per day.',
      kind: count(1, 1_000_000),
      default: 100,
      places: { '/rules/1/limit/max_calls': (value) => value },
    }),
    parameter({
      name: 'capability',
      sentence: 'The capability that refunds require.',
      kind: capability,
      default: 'payments.refund',
      places: {
        '/rules/0/when/all/0/value': (value) => value,
        '/rules/1/when/value': (value) => value,
        '/rules/2/when/value': (value) => value,
        '/tests/0/given/capability': (value) => value,
        '/tests/1/given/capability': (value) => value,
        '/tests/2/given/capability': (value) => value,
        '/tests/3/given/capability': (value) => `${value}.else`,
      },
    }),
  ],
  rules: [
    {
      id: 'large-refunds',
      effect: 'REQUIRE_APPROVAL',
      if_missing: 'match',
      when: {
        all: [
          { field: 'capability', op: 'eq', value: 'payments.refund' },
          { field: 'amount', op: 'gt', value: 50_000 },
        ],
      },
      reason: 'Refunds over 500.00 require approval.',
      approval: { approver_role: 'approver', expires_in_seconds: 3600 },
    },
    {
      id: 'refunds-of-a-day',
      effect: 'LIMIT',
      if_missing: 'match',
      when: { field: 'capability', op: 'eq', value: 'payments.refund' },
      reason: 'Refunds are limited to 2,000.00 per day.',
      limit: { max_amount: 200_000, max_calls: 100, window_seconds: 86_400 },
    },
    {
      id: 'refunds',
      effect: 'ALLOW',
      when: { field: 'capability', op: 'eq', value: 'payments.refund' },
      reason: 'Refunds up to 500.00 are allowed.',
    },
  ],
  tests: [
    {
      name: 'a small refund runs',
      given: { capability: 'payments.refund', amount: 50_000 },
      then: { effect: 'LIMIT', rule: 'refunds-of-a-day', matches: ['refunds'] },
    },
    {
      name: 'a large refund waits',
      given: { capability: 'payments.refund', amount: 50_001 },
      then: { effect: 'REQUIRE_APPROVAL', rule: 'large-refunds' },
    },
    {
      name: 'a refund of an unknown amount waits',
      given: { capability: 'payments.refund' },
      then: { effect: 'REQUIRE_APPROVAL', rule: 'large-refunds' },
    },
    {
      name: 'other payments are not affected',
      given: { capability: 'payments.refund.else', amount: 10 },
      then: { effect: 'BLOCK', rule: null },
    },
  ],
};
