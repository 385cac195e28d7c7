import { CASE, getCase, type Malformed, RULE, times, withTests } from './version.ts';

/** Invalid tests of a version. */
export const WRONG_CASES: readonly Malformed[] = [
  {
    what: 'too many tests',
    body: { rules: [RULE], tests: times(201, (n) => ({ ...CASE, name: `t${n}` })) },
    pointer: '/tests',
    says: /0 to 200 tests/,
  },
  { what: 'two tests of one name', body: { rules: [RULE], tests: [CASE, CASE] }, pointer: '/tests/1/name', says: /unique/ },
  {
    what: 'a test of a rule that is none',
    body: withTests(getCase({ effect: 'BLOCK', rule: 'b' })),
    pointer: '/tests/0/then/rule',
    says: /no such rule/,
  },
  {
    what: 'a test of an effect that is none',
    body: withTests(getCase({ effect: 'DENY' })),
    pointer: '/tests/0/then/effect',
    says: /one of ALLOW/,
  },
  {
    what: 'a test that expects nothing',
    body: withTests(getCase({})),
    pointer: '/tests/0/then/effect',
    says: /requires the member "effect"/,
  },
  {
    what: 'a test of no rule that allows',
    body: withTests(getCase({ effect: 'ALLOW', rule: null })),
    pointer: '/tests/0/then/rule',
    says: /effect must be BLOCK/,
  },
  {
    what: 'a test of a field that is none',
    body: withTests({ ...CASE, given: { 'tool.nmae': 'x' } }),
    pointer: '/tests/0/given/tool.nmae',
    says: /mean "tool.name"/,
  },
  {
    what: 'a test of a wrong type',
    body: withTests({ ...CASE, given: { amount: '5' } }),
    pointer: '/tests/0/given/amount',
    says: /whole number.*for example/,
  },
  {
    what: 'a test of a nested wrong type',
    body: withTests({ ...CASE, given: { tool: { dangerous: 'no' } } }),
    pointer: '/tests/0/given/tool/dangerous',
    says: /must be/,
  },
  {
    what: 'a test that gives a field twice',
    body: withTests({ ...CASE, given: { 'tool.name': 'x', tool: { name: 'y' } } }),
    pointer: '/tests/0/given/tool/name',
    says: /given twice/,
  },
  {
    what: 'a test with a constructor',
    body: withTests({ ...CASE, given: { constructor: { a: 1 } } }),
    pointer: '/tests/0/given/constructor',
    says: /no field/,
  },
  {
    what: 'a test of parameters that are a list',
    body: withTests({ ...CASE, given: { parameters: [] } }),
    pointer: '/tests/0/given/parameters',
    says: /object, for example/,
  },
  {
    what: 'a test named at too great length',
    body: withTests({ ...CASE, name: 'x'.repeat(121) }),
    pointer: '/tests/0/name',
    says: /at most 120/,
  },
];
