// biome-ignore-all lint/suspicious/noThenProperty: `then` is a member of a recorded test, and data
import type { PolicyTemplate } from '../policy-template.ts';

export const refundsOverAmount: PolicyTemplate = {
  id: 'refunds-over-amount',
  name: 'Refunds over an amount need a person',
  description:
    'Refunds up to an amount are allowed; larger ones, and refunds whose amount is not known, wait for a person. Many small ones are bounded too: by their sum in a day, whether people agreed to them or not.',
  parameters: [
    {
      name: 'amount',
      sentence: 'The largest refund without a person, in minor units of the base currency.',
      pointers: ['/rules/0/when/all/1/value'],
    },
    {
      name: 'sum',
      sentence: 'What the refunds of an agent may come to in a day, in minor units of the base currency.',
      pointers: ['/rules/1/limit/max_amount'],
    },
    { name: 'count', sentence: 'How many refunds an agent may make in a day.', pointers: ['/rules/1/limit/max_calls'] },
    {
      name: 'capability',
      sentence: 'The capability that refunds require.',
      pointers: ['/rules/0/when/all/0/value', '/rules/1/when/value', '/rules/2/when/value'],
    },
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
      reason: 'Refunds over 500.00 need a person.',
      approval: { approver_role: 'approver', expires_in_seconds: 3600 },
    },
    {
      id: 'refunds-of-a-day',
      effect: 'LIMIT',
      if_missing: 'match',
      when: { field: 'capability', op: 'eq', value: 'payments.refund' },
      reason: 'Refunds of a day come to 2,000.00 at most.',
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
    { name: 'other payments are not meant', given: { capability: 'payments.transfer', amount: 10 }, then: { effect: 'BLOCK', rule: null } },
  ],
};
