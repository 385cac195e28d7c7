import type { PolicyTemplate } from '../form/policy-template.ts';

/** What people and programs put between digits: spaces and dashes of every kind, dots, slashes and what nobody sees. */
const BETWEEN = '[ ._/\\x{AD}\\x{A0}\\x{2000}-\\x{200D}\\x{202F}\\x{205F}\\x{2060}\\x{3000}\\x{FEFF}]*';
const DASH = '[ -]?[\\x{2010}-\\x{2015}\\x{2212}-][ -]?';
const DIGIT = '[0-9\\x{FF10}-\\x{FF19}]';
const FIRST = '[2-9\\x{FF12}-\\x{FF19}]';

/** Digits of a card in one go, or parted by anything but a dash: parts of identifiers are parted by dashes too. */
const CARD = `(^|[^0-9])${FIRST}(${BETWEEN}${DIGIT}){12}`;
const DASHED_CARD = `${FIRST}[0-9]{3}${DASH}([0-9]{4}${DASH}[0-9]{4}|[0-9]{6}${DASH}[0-9]{3,5})`;
const IBAN_REST = `${BETWEEN}[0-9]${BETWEEN}[0-9]([ .-]*[A-Za-z0-9]){0,4}([ .\\x{A0}\\x{202F}-]*[0-9]){7}`;
const IBAN = `(^|[^A-Z0-9])[A-Z][A-Z]${IBAN_REST}|(^|[^A-Za-z0-9])[A-Za-z][A-Za-z]${IBAN_REST}`;
/** Below lie times in milliseconds; above it a number of thirteen digits and more is no time of these days. */
const CARD_NUMBERS_FROM = 2_000_000_000_000;

export const paymentCardsNeedApproval: PolicyTemplate = {
  id: 'payment-cards-need-approval',
  name: 'Payment cards need a person',
  description:
    'A person has to look before what is shaped like a payment card or an IBAN leaves in the values of the parameters of an action, at whatever depth, as text or as a number. Not seen are digits that are spelled out in words, encoded, spread over several values or put into the names of members. It only restricts: what may run at all is said by another policy, such as "Allow what was granted".',
  rules: [
    {
      id: 'iban',
      effect: 'REQUIRE_APPROVAL',
      when: { field: 'parameters.**', op: 'matches', value: IBAN },
      reason: 'This holds an account number.',
    },
    {
      id: 'card',
      effect: 'REQUIRE_APPROVAL',
      when: {
        any: [
          { field: 'parameters.**', op: 'matches', value: CARD },
          { field: 'parameters.**', op: 'matches', value: DASHED_CARD },
          { field: 'parameters.**', op: 'gte', value: CARD_NUMBERS_FROM },
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
      name: 'a card as a number, deep down',
      given: { parameters: { a: [{ b: { c: [4111111111111111] } }] } },
      then: { effect: 'REQUIRE_APPROVAL', rule: 'card' },
    },
    {
      name: 'an account number two levels down, in small letters',
      given: { parameters: { customer: { bank: { iban: 'de89 3704 0044 0532 0130 00' } } } },
      then: { effect: 'REQUIRE_APPROVAL', rule: 'iban' },
    },
    { name: 'an order number is not meant', given: { parameters: { order: 'A-1234567' } }, then: { effect: 'BLOCK', rule: null } },
    { name: 'a time is not meant', given: { parameters: { at: 1_790_000_000_000 } }, then: { effect: 'BLOCK', rule: null } },
  ],
};
