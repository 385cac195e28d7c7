import { CASE, type Cells, CONDITION, type Malformed, RULE, withCondition, withOperator, withTests } from './version.ts';

/** Values that no text member of a rule accepts. */
const NO_TEXT: Cells = [
  ['null', null],
  ['a number', 5],
  ['a boolean', true],
  ['a list', ['x']],
  ['an object', { toString: 'x' }],
  ['nothing to read', '   '],
];

/** Members that are missing or of another type. */
export const WRONG_MEMBERS: readonly Malformed[] = [
  ...NO_TEXT.flatMap(([what, value]): Malformed[] => [
    { what: `an id that is ${what}`, body: withOperator({ id: value }), pointer: '/rules/0/id', says: /1 to 64 letters.*for example/ },
    {
      what: `an effect that is ${what}`,
      body: withOperator({ effect: value }),
      pointer: '/rules/0/effect',
      says: /one of ALLOW, MASK, LIMIT/,
    },
    {
      what: `a reason that is ${what}`,
      body: withOperator({ reason: value }),
      pointer: '/rules/0/reason',
      says: /must be text|must not be empty/,
    },
    {
      what: `a test named ${what}`,
      body: withTests({ ...CASE, name: value }),
      pointer: '/tests/0/name',
      says: /must be text|must not be empty/,
    },
    { what: `if_missing of ${what}`, body: withOperator({ if_missing: value }), pointer: '/rules/0/if_missing', says: /Must be "match"/ },
    {
      what: `a field that is ${what}`,
      body: withCondition({ ...CONDITION, field: value }),
      pointer: '/rules/0/when/field',
      says: /must be a string|fields are/,
    },
    {
      what: `an operator that is ${what}`,
      body: withCondition({ ...CONDITION, op: value }),
      pointer: '/rules/0/when/op',
      says: /one of eq, neq, in/,
    },
  ]),
  ...[
    ['null', null],
    ['a text', 'x'],
    ['a number', 1],
    ['a list', [CONDITION]],
  ].flatMap(([what, value]): Malformed[] => [
    { what: `a rule that is ${what}`, body: { rules: [value] }, pointer: '/rules/0', says: /must be an object with id/ },
    { what: `a when that is ${what}`, body: withCondition(value), pointer: '/rules/0/when', says: /condition must be an object/ },
    {
      what: `a part that is ${what}`,
      body: withCondition({ all: [CONDITION, value] }),
      pointer: '/rules/0/when/all/1',
      says: /condition must be an object/,
    },
    { what: `a not of ${what}`, body: withCondition({ not: value }), pointer: '/rules/0/when/not', says: /condition must be an object/ },
    { what: `a test that is ${what}`, body: withTests(value), pointer: '/tests/0', says: /must be an object with name/ },
    { what: `a given that is ${what}`, body: withTests({ ...CASE, given: value }), pointer: '/tests/0/given', says: /for example/ },
  ]),
  ...['id', 'effect', 'reason'].map((member) => {
    const { [member as 'id']: _, ...rest } = RULE;
    return {
      what: `no ${member}`,
      body: { rules: [rest] },
      pointer: `/rules/0/${member}`,
      says: new RegExp(`requires the member "${member}"`),
    };
  }),
];
