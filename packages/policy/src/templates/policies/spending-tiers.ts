import { type PolicyTemplate, parameter } from '../form/policy-template.ts';
import { amount, matchAnyWord, words } from '../form/template-values.ts';

const MOVING =
  'pay payment payments payout payouts spend spending purchase purchases buy transfer transfers refund refunds charge charges invoice invoices order orders withdraw withdrawal withdrawals billing'.split(
    ' ',
  );

export const spendingTiers: PolicyTemplate = {
  id: 'spending-tiers',
  name: 'Spending in tiers',
  description:
    'Allows small amounts for capabilities that move money, requires one approval for larger amounts and two for the largest, and blocks amounts above the highest tier. The tiers apply to every action with an amount. Capabilities that move money require two approvals if no amount is stated. Declare amount_from on tools that move money; otherwise the amount is the one that the agent states.',
  parameters: [
    parameter({
      name: 'highest',
      sentence: 'Amounts above this are blocked, in minor units of the currency of the policy.',
      kind: amount,
      default: 1_000_000,
      places: {
        '/rules/0/when/value': (value) => value,
        '/rules/0/reason': (value, { money }) => `Amounts over ${money(value)} are blocked.`,
        '/rules/1/when/value/1': (value) => value,
        '/tests/3/given/amount': (value) => value + 1,
      },
    }),
    parameter({
      name: 'one_person_to',
      sentence: 'One approval up to this amount, two approvals above it.',
      kind: amount,
      default: 100_000,
      places: {
        '/rules/1/when/value/0': (value) => value + 1,
        '/rules/1/reason': (value, { money }) => `Amounts over ${money(value)} require two approvals.`,
        '/rules/2/when/value/1': (value) => value,
        '/tests/2/given/amount': (value) => value + 1,
      },
    }),
    parameter({
      name: 'small_to',
      sentence: 'No approval up to this amount, one approval above it.',
      kind: amount,
      default: 10_000,
      places: {
        '/rules/2/when/value/0': (value) => value + 1,
        '/rules/2/reason': (value, { money }) => `Amounts over ${money(value)} require approval.`,
        '/rules/4/when/all/1/value': (value) => value,
        '/rules/4/reason': (value, { money }) => `Amounts up to ${money(value)} are allowed.`,
        '/tests/0/given/amount': (value) => value,
        '/tests/1/given/amount': (value) => value + 1,
      },
    }),
    parameter({
      name: 'moving',
      sentence: 'Words in the names of capabilities that move money.',
      kind: words,
      default: MOVING,
      places: {
        '/rules/3/when/all/1/value': matchAnyWord,
        '/rules/4/when/all/0/value': matchAnyWord,
        '/tests/0/given/capability': ([word]) => `ledger.${word}`,
        '/tests/4/given/capability': ([word]) => `ledger.${word}`,
        '/tests/6/given/capability': ([word]) => `crm.not${word}`,
      },
    }),
  ],
  rules: [
    {
      id: 'over-the-top',
      effect: 'BLOCK',
      when: { field: 'amount', op: 'gt', value: 1_000_000 },
      reason: 'Amounts over 10,000.00 are blocked.',
    },
    {
      id: 'two-people',
      effect: 'REQUIRE_APPROVAL',
      when: { field: 'amount', op: 'between', value: [100_001, 1_000_000] },
      reason: 'Amounts over 1,000.00 require two approvals.',
      approval: { quorum: 2 },
    },
    {
      id: 'one-person',
      effect: 'REQUIRE_APPROVAL',
      when: { field: 'amount', op: 'between', value: [10_001, 100_000] },
      reason: 'Amounts over 100.00 require approval.',
      approval: { quorum: 1 },
    },
    {
      id: 'unsaid',
      effect: 'REQUIRE_APPROVAL',
      if_missing: 'match',
      when: {
        all: [
          { field: 'amount', op: 'not_exists' },
          {
            field: 'capability',
            op: 'matches',
            value: matchAnyWord(MOVING),
          },
        ],
      },
      reason: 'Payments without a stated amount require two approvals.',
      approval: { quorum: 2 },
    },
    {
      id: 'small',
      effect: 'ALLOW',
      // The requester states the amount, so that an amount alone permits nothing.
      when: {
        all: [
          { field: 'capability', op: 'matches', value: matchAnyWord(MOVING) },
          { field: 'amount', op: 'lte', value: 10_000 },
        ],
      },
      reason: 'Amounts up to 100.00 are allowed.',
    },
  ],
  tests: [
    { name: 'a small amount is allowed', given: { capability: 'ledger.pay', amount: 10_000 }, then: { effect: 'ALLOW', rule: 'small' } },
    { name: 'a larger amount requires approval', given: { amount: 10_001 }, then: { effect: 'REQUIRE_APPROVAL', rule: 'one-person' } },
    { name: 'a large amount requires two approvals', given: { amount: 100_001 }, then: { effect: 'REQUIRE_APPROVAL', rule: 'two-people' } },
    { name: 'an amount above the highest tier is blocked', given: { amount: 1_000_001 }, then: { effect: 'BLOCK', rule: 'over-the-top' } },
    {
      name: 'a payment of an unknown amount',
      given: { capability: 'ledger.pay' },
      then: { effect: 'REQUIRE_APPROVAL', rule: 'unsaid' },
    },
    { name: 'an action without an amount is not affected', given: { capability: 'crm.read' }, then: { effect: 'BLOCK', rule: null } },
    {
      name: 'a capability that moves no money is not allowed for a small amount',
      given: { capability: 'crm.notpay', amount: 0 },
      then: { effect: 'BLOCK', rule: null },
    },
  ],
};
