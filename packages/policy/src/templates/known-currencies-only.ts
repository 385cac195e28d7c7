// biome-ignore-all lint/suspicious/noThenProperty: `then` is a member of a recorded test, and data
import type { PolicyTemplate } from '../policy-template.ts';

export const knownCurrenciesOnly: PolicyTemplate = {
  id: 'known-currencies-only',
  name: 'Known currencies only',
  description:
    'Amounts in other than the named currencies are blocked. It only restricts: what may run at all is said by another policy, such as "Allow what was granted".',
  parameters: [{ name: 'currencies', sentence: 'Currencies that are used.', pointers: ['/rules/0/when/value'] }],
  rules: [
    {
      id: 'other-currency',
      effect: 'BLOCK',
      when: { field: 'currency', op: 'not_in', value: ['EUR', 'USD'] },
      reason: 'Only EUR and USD are used.',
    },
  ],
  tests: [
    { name: 'another currency', given: { currency: 'XAF', amount: 5 }, then: { effect: 'BLOCK', rule: 'other-currency' } },
    { name: 'a named currency is not meant', given: { currency: 'EUR', amount: 5 }, then: { effect: 'BLOCK', rule: null } },
    { name: 'actions without an amount are not meant', given: {}, then: { effect: 'BLOCK', rule: null } },
  ],
};
