import { type PolicyTemplate, parameter } from '../form/policy-template.ts';
import { matchLastWord, words } from '../form/template-values.ts';

export const readOnlyAgent: PolicyTemplate = {
  id: 'read-only-agent',
  name: 'Read-only agent',
  description: 'Allows capabilities that only read and blocks all others, overriding other policies. Bind it to read-only agents.',
  parameters: [
    parameter({
      name: 'reading',
      sentence: 'Last words of capabilities that only read.',
      kind: words,
      default: ['read', 'list', 'get', 'search'],
      places: {
        '/rules/0/when/value': matchLastWord,
        '/rules/1/when/not/value': matchLastWord,
        '/tests/0/given/capability': ([word]) => `crm.customers.${word}`,
        '/tests/2/given/capability': ([word]) => `crm.${word}.delete`,
      },
    }),
  ],
  rules: [
    {
      id: 'reading',
      effect: 'ALLOW',
      when: { field: 'capability', op: 'matches', value: '\\.(read|list|get|search)$' },
      reason: 'This agent may read.',
    },
    {
      id: 'writing',
      effect: 'BLOCK',
      if_missing: 'match',
      when: { not: { field: 'capability', op: 'matches', value: '\\.(read|list|get|search)$' } },
      reason: 'This agent may only read.',
    },
  ],
  tests: [
    { name: 'reading is allowed', given: { capability: 'crm.customers.read' }, then: { effect: 'ALLOW', rule: 'reading' } },
    { name: 'writing is blocked', given: { capability: 'crm.customers.update' }, then: { effect: 'BLOCK', rule: 'writing' } },
    {
      name: 'a name that only starts like reading is blocked',
      given: { capability: 'crm.read.delete' },
      then: { effect: 'BLOCK', rule: 'writing' },
    },
  ],
};
