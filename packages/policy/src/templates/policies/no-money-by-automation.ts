import type { PolicyTemplate } from '../form/policy-template.ts';

export const noMoneyByAutomation: PolicyTemplate = {
  id: 'no-money-by-automation',
  name: 'No money by automation',
  description:
    'Actions with an amount, or with a capability that moves money, are decided for an agent itself or for a signed-in person, never through an API key or a background job. This policy only restricts: another policy, such as "Allow what was granted", must permit actions.',
  rules: [
    {
      id: 'automation',
      effect: 'BLOCK',
      when: {
        all: [
          {
            any: [
              { field: 'amount', op: 'exists' },
              {
                field: 'capability',
                op: 'matches',
                value:
                  '(^|[._-])(pay|payment|payments|payout|payouts|spend|spending|purchase|purchases|buy|transfer|transfers|refund|refunds|charge|charges|invoice|invoices|order|orders|withdraw|withdrawal|withdrawals|billing)($|[._-])',
              },
            ],
          },
          { not: { field: 'principal.type', op: 'in', value: ['AGENT', 'USER'] } },
        ],
      },
      if_missing: 'match',
      reason: 'An API key does not move money.',
    },
  ],
  tests: [
    { name: 'an API key', given: { amount: 1, 'principal.type': 'API_KEY' }, then: { effect: 'BLOCK', rule: 'automation' } },
    { name: 'a background job', given: { amount: 1, 'principal.type': 'SYSTEM' }, then: { effect: 'BLOCK', rule: 'automation' } },
    { name: 'unknown requester', given: { amount: 1 }, then: { effect: 'BLOCK', rule: 'automation' } },
    { name: 'an agent is not meant', given: { amount: 1, 'principal.type': 'AGENT' }, then: { effect: 'BLOCK', rule: null } },
    {
      name: 'actions without an amount are not meant',
      given: { 'principal.type': 'API_KEY', capability: 'crm.read' },
      then: { effect: 'BLOCK', rule: null },
    },
  ],
};
