import type { PolicyTemplate } from '../form/policy-template.ts';

/** Separators that people and programs put between digits anywhere: spaces, dots, slashes and invisible characters. */
const SPACES = '\\s._/\\x{AD}\\x{A0}\\x{2000}-\\x{200D}\\x{202F}\\x{205F}\\x{2060}\\x{3000}\\x{FE00}-\\x{FE0F}\\x{FEFF}';
const BETWEEN = `[${SPACES}]*`;
const DASHES = '\\x{2010}-\\x{2015}\\x{2212}-';
/**
 * Between groups of the usual length: any character that is no letter and no digit, since lists, tables and identifiers seldom have just
 * those.
 */
const PARTING = '[^0-9A-Za-z]+';
const FIRST = '[2-9\\x{FF12}-\\x{FF19}]';
/** Excludes current years, with which dates and lists of years begin. */
const NO_YEAR = '([3-9][0-9]|2[1-9])';
/** Digits of the most common scripts: Arabic, Persian, Indian, Thai, Lao, Khmer, full-width and mathematical. */
const NATIVE =
  '[\\x{660}-\\x{669}\\x{6F0}-\\x{6F9}\\x{966}-\\x{96F}\\x{9E6}-\\x{9EF}\\x{E50}-\\x{E59}\\x{ED0}-\\x{ED9}\\x{17E0}-\\x{17E9}\\x{FF10}-\\x{FF19}\\x{1D7CE}-\\x{1D7FF}]';

/** Digits of a card in one go, or separated by anything but a dash: parts of identifiers are separated by dashes too. */
const CARD = `((^|[^0-9])0*${FIRST}|${NATIVE})(${BETWEEN}\\p{Nd}){12}`;
/** In the groups that are printed on cards. Longer groups before and after indicate identifiers. */
const GROUPED_CARD = `(^|[^0-9])0*${NO_YEAR}[0-9]{2}${PARTING}([0-9]{4}${PARTING}[0-9]{4}${PARTING}[0-9]{1,4}|[0-9]{6}${PARTING}[0-9]{3,5})($|[^0-9])`;
/** Each digit by itself in a list, or a number with thousands separators. */
const LISTED_CARD = '[2-9]([,;:|]\\s*[0-9]){12}|[2-9][0-9]{0,2}(,[0-9]{3}){4}';
/** Twelve digits that begin like cards of that length, except for telephone numbers. */
const SHORT_CARD = `(^|[^0-9A-Za-z.+-])(5[06-8]|6[0-9])([ ${DASHES}]*[0-9]){10}($|[^0-9A-Za-z-])`;
/** Separated by dashes anywhere, if it stands alone and has 14 to 16 digits: book numbers are shorter, order numbers often longer. */
const STRAY_CARD = `(^|[^0-9A-Za-z-])[3-9]([ ${DASHES}]*[0-9]){13}(-?[0-9]){0,2}($|[^0-9A-Za-z-])`;
const IBAN_BEGINS = '((^|[^A-Z0-9])[A-Z][A-Z]|(^|[^A-Za-z0-9])[A-Za-z][A-Za-z])';
const IBAN_BETWEEN = `[${SPACES}${DASHES}]*`;
const IBAN = `${IBAN_BEGINS}${IBAN_BETWEEN}[0-9]${IBAN_BETWEEN}[0-9][ .-]{0,2}[A-Za-z0-9]{0,4}([ .\\x{A0}\\x{202F}-]*[0-9]){7}`;
const GROUPED_IBAN = `(^|[^0-9A-Fa-f])[A-Za-z]{2}[0-9]{2}${PARTING}[0-9A-Za-z]{4}${PARTING}[0-9]{4}${PARTING}[0-9]{3}`;
/** Smaller numbers are times in milliseconds; above it a number of thirteen digits and more is no current time. */
const CARD_NUMBERS_FROM = 2_000_000_000_000;

export const paymentCardsNeedApproval: PolicyTemplate = {
  id: 'payment-cards-need-approval',
  name: 'Payment card numbers require approval',
  description:
    'Requires an approval before a value that looks like a payment card number or an IBAN leaves in the parameters of an action, at any depth, as text, number or name of a member, with any separators between the usual groups. Not detected are numbers that are spelled out, encoded, separated by letters, separated by dashes in unusual groups next to letters, preceded by other digits, in rare scripts or split over several values. Other numbers of 14 or more digits may match too. This policy only restricts: another policy, such as "Allow what was granted", must permit actions.',
  rules: [
    {
      id: 'iban',
      effect: 'REQUIRE_APPROVAL',
      when: { field: 'parameters.***', op: 'matches', value: `${IBAN}|${GROUPED_IBAN}` },
      reason: 'The parameters contain an account number.',
    },
    {
      id: 'card',
      effect: 'REQUIRE_APPROVAL',
      when: {
        any: [
          // Joined in the way that costs the least work of a decision.
          { field: 'parameters.***', op: 'matches', value: `${CARD}|${STRAY_CARD}` },
          { field: 'parameters.***', op: 'matches', value: `${GROUPED_CARD}|${SHORT_CARD}` },
          { field: 'parameters.***', op: 'matches', value: LISTED_CARD },
          { field: 'parameters.**', op: 'between', value: [500_000_000_000, 699_999_999_999] },
          { not: { field: 'parameters.**', op: 'between', value: [-CARD_NUMBERS_FROM, CARD_NUMBERS_FROM], quantifier: 'all' } },
        ],
      },
      reason: 'The parameters contain a number that looks like a payment card.',
    },
  ],
  tests: [
    {
      name: 'a card in a text',
      given: { parameters: { note: 'please charge 4111 1111 1111 1111 today' } },
      then: { effect: 'REQUIRE_APPROVAL', rule: 'card' },
    },
    {
      name: 'a card as a number, deeply nested',
      given: { parameters: { a: [{ b: { c: [4111111111111111] } }] } },
      then: { effect: 'REQUIRE_APPROVAL', rule: 'card' },
    },
    {
      name: 'an account number two levels down, in lower case',
      given: { parameters: { customer: { bank: { iban: 'de89 3704 0044 0532 0130 00' } } } },
      then: { effect: 'REQUIRE_APPROVAL', rule: 'iban' },
    },
    { name: 'an order number is not affected', given: { parameters: { order: 'A-1234567' } }, then: { effect: 'BLOCK', rule: null } },
    { name: 'a time is not affected', given: { parameters: { at: 1_790_000_000_000 } }, then: { effect: 'BLOCK', rule: null } },
  ],
};
