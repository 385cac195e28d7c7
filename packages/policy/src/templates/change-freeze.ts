// biome-ignore-all lint/suspicious/noThenProperty: `then` is a member of a recorded test, and data
import type { PolicyTemplate } from '../policy-template.ts';

export const changeFreeze: PolicyTemplate = {
  id: 'change-freeze',
  name: 'Change freeze',
  description:
    'Between two days nothing changes in production; reading goes on. It only restricts: what may run at all is said by another policy, such as "Allow what was granted".',
  parameters: [
    { name: 'days', sentence: 'First and last day of the freeze.', pointers: ['/rules/0/when/all/1/value'] },
    { name: 'reading', sentence: 'Pattern of the capabilities that only read.', pointers: ['/rules/0/when/all/2/not/value'] },
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
      reason: 'Production is frozen from 21 December to 3 January.',
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
      name: 'the day after is not meant',
      given: { 'environment.type': 'PRODUCTION', 'time.date': '2027-01-04', capability: 'crm.update' },
      then: { effect: 'BLOCK', rule: null },
    },
    {
      name: 'reading is not meant',
      given: { 'environment.type': 'PRODUCTION', 'time.date': '2026-12-24', capability: 'crm.read' },
      then: { effect: 'BLOCK', rule: null },
    },
  ],
};
