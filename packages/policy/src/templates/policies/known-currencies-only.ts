import { CURRENCIES } from '@svc/contract/tables/currencies.ts';
import { type PolicyTemplate, parameter } from '../form/policy-template.ts';
import { currencies } from '../form/template-values.ts';

export const knownCurrenciesOnly: PolicyTemplate = {
  id: 'known-currencies-only',
  name: 'Known currencies only',
  description:
    'Blocks amounts in currencies that are not listed. This policy only restricts: another policy, such as "Allow what was granted", must permit actions.',
  parameters: [
    parameter({
      name: 'currencies',
      sentence: 'Allowed currencies.',
      kind: currencies,
      default: ['EUR', 'USD'],
      places: {
        '/rules/0/when/value': (value) => value,
        '/rules/0/reason': (value) => `Only these currencies are allowed: ${value.join(', ')}.`,
        '/tests/0/given/currency': (value) => ['XAF', 'XOF', ...CURRENCIES].find((code) => !value.includes(code)),
        '/tests/1/given/currency': (value) => value[0],
      },
    }),
  ],
  rules: [
    {
      id: 'other-currency',
      effect: 'BLOCK',
      when: { field: 'currency', op: 'not_in', value: ['EUR', 'USD'] },
      reason: 'Only these currencies are allowed: EUR, USD.',
    },
  ],
  tests: [
    { name: 'another currency', given: { currency: 'XAF', amount: 5 }, then: { effect: 'BLOCK', rule: 'other-currency' } },
    { name: 'a listed currency is not affected', given: { currency: 'EUR', amount: 5 }, then: { effect: 'BLOCK', rule: null } },
    { name: 'actions without an amount are not affected', given: {}, then: { effect: 'BLOCK', rule: null } },
  ],
};
