import type { PolicyTemplate } from '../form/policy-template.ts';

export const noMoneyByAutomation: PolicyTemplate = {
  id: 'no-money-by-automation',
  name: 'No money by automation',
  description:
    'Blocks actions with an amount, or with a capability that moves money, if an API key or a background job requests them. Agents and signed-in users are not affected. This policy only restricts: another policy, such as "Allow what was granted", must permit actions.',
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
      reason: 'API keys must not move money.',
    },
  ],
  tests: [
    { name: 'an API key', given: { amount: 1, 'principal.type': 'API_KEY' }, then: { effect: 'BLOCK', rule: 'automation' } },
    { name: 'a background job', given: { amount: 1, 'principal.type': 'SYSTEM' }, then: { effect: 'BLOCK', rule: 'automation' } },
    { name: 'unknown requester', given: { amount: 1 }, then: { effect: 'BLOCK', rule: 'automation' } },
    { name: 'an agent is not affected', given: { amount: 1, 'principal.type': 'AGENT' }, then: { effect: 'BLOCK', rule: null } },
    {
      name: 'actions without an amount are not affected',
      given: { 'principal.type': 'API_KEY', capability: 'crm.read' },
      then: { effect: 'BLOCK', rule: null },
    },
  ],
};
