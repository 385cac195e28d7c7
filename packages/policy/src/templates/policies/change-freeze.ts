import { type PolicyTemplate, parameter } from '../form/policy-template.ts';
import { dates, matchLastWord, words } from '../form/template-values.ts';

/** An invalid date stays unchanged, for the language to report it. */
const dayAfter = (date: string): string => {
  const next = Date.parse(`${date}T00:00:00.000Z`) + 86_400_000;
  return Number.isNaN(next) ? date : new Date(next).toISOString().slice(0, 10);
};

export const changeFreeze: PolicyTemplate = {
  id: 'change-freeze',
  name: 'Change freeze',
  description:
    'Blocks changes in production between two dates; reading remains allowed. This policy only restricts: another policy, such as "Allow what was granted", must permit actions.',
  parameters: [
    parameter({
      name: 'days',
      sentence: 'First and last day of the freeze.',
      kind: dates,
      default: ['2026-12-21', '2027-01-03'],
      places: {
        '/rules/0/when/all/1/value': (value) => value,
        '/rules/0/reason': ([first, last]) => `Production is frozen from ${first} to ${last}.`,
        '/tests/0/given/time.date': ([first]) => first,
        '/tests/1/given/time.date': ([, last]) => last,
        '/tests/2/given/time.date': ([, last]) => dayAfter(last ?? ''),
        '/tests/3/given/time.date': ([first]) => first,
      },
    }),
    parameter({
      name: 'reading',
      sentence: 'Last words of capabilities that only read.',
      kind: words,
      default: ['read', 'list', 'get', 'search'],
      places: {
        '/rules/0/when/all/2/not/value': matchLastWord,
        '/tests/3/given/capability': ([word]) => `crm.${word}`,
      },
    }),
  ],
  rules: [
    {
      id: 'freeze',
      effect: 'BLOCK',
      if_missing: 'match',
      when: {
        all: [
          { field: 'environment.type', op: 'eq', value: 'PRODUCTION' },
          { field: 'time.date', op: 'between', value: ['2026-12-21', '2027-01-03'] },
          { not: { field: 'capability', op: 'matches', value: '\\.(read|list|get|search)$' } },
        ],
      },
      reason: 'Production is frozen from 2026-12-21 to 2027-01-03.',
    },
  ],
  tests: [
    {
      name: 'the first day',
      given: { 'environment.type': 'PRODUCTION', 'time.date': '2026-12-21', capability: 'crm.update' },
      then: { effect: 'BLOCK', rule: 'freeze' },
    },
    {
      name: 'the last day',
      given: { 'environment.type': 'PRODUCTION', 'time.date': '2027-01-03', capability: 'crm.update' },
      then: { effect: 'BLOCK', rule: 'freeze' },
    },
    {
      name: 'the day after is not affected',
      given: { 'environment.type': 'PRODUCTION', 'time.date': '2027-01-04', capability: 'crm.update' },
      then: { effect: 'BLOCK', rule: null },
    },
    {
      name: 'reading is not affected',
      given: { 'environment.type': 'PRODUCTION', 'time.date': '2026-12-21', capability: 'crm.read' },
      then: { effect: 'BLOCK', rule: null },
    },
  ],
};
