// biome-ignore-all lint/suspicious/noThenProperty: `then` is a member of a recorded test, and data
import type { PolicyTemplate } from '../policy-template.ts';

export const paymentCardsNeedApproval: PolicyTemplate = {
  id: 'payment-cards-need-approval',
  name: 'Payment cards need a person',
  description:
    'A person has to look before a number shaped like a payment card or an IBAN leaves in the parameters of an action. It only restricts: what may run at all is said by another policy, such as "Allow what was granted".',
  rules: [
    {
      id: 'iban',
      effect: 'REQUIRE_APPROVAL',
      when: {
        any: [
          { field: 'parameters.*', op: 'matches', value: '(^|[^A-Z0-9])[A-Z]{2}[0-9]{2} ?([A-Z0-9]{4} ?){2,7}' },
          { field: 'parameters.*.*', op: 'matches', value: '(^|[^A-Z0-9])[A-Z]{2}[0-9]{2} ?([A-Z0-9]{4} ?){2,7}' },
        ],
      },
      reason: 'This holds an account number.',
    },
    {
      id: 'card',
      effect: 'REQUIRE_APPROVAL',
      when: {
        any: [
          { field: 'parameters.*', op: 'matches', value: '(^|[^0-9])[3-6]([ -]?[0-9]){12,18}($|[^0-9])' },
          { field: 'parameters.*.*', op: 'matches', value: '(^|[^0-9])[3-6]([ -]?[0-9]){12,18}($|[^0-9])' },
        ],
      },
      reason: 'This holds a number shaped like a payment card.',
    },
  ],
  tests: [
    {
      name: 'a card in a text',
      given: { parameters: { note: 'please charge 4111 1111 1111 1111 today' } },
      then: { effect: 'REQUIRE_APPROVAL', rule: 'card' },
    },
    {
      name: 'an account number one level down',
      given: { parameters: { customer: { iban: 'DE89 3704 0044 0532 0130 00' } } },
      then: { effect: 'REQUIRE_APPROVAL', rule: 'iban' },
    },
    { name: 'an order number is not meant', given: { parameters: { order: 'A-1234567' } }, then: { effect: 'BLOCK', rule: null } },
  ],
};
