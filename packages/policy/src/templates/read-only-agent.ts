// biome-ignore-all lint/suspicious/noThenProperty: `then` is a member of a recorded test, and data
import type { PolicyTemplate } from '../policy-template.ts';

export const readOnlyAgent: PolicyTemplate = {
  id: 'read-only-agent',
  name: 'Read-only agent',
  description:
    'Capabilities that only read are allowed and all others are blocked, whatever other policies say. Bind it to the agent that shall only read.',
  parameters: [
    {
      name: 'reading',
      sentence: 'Pattern of the capabilities that only read.',
      pointers: ['/rules/0/when/value', '/rules/1/when/not/value'],
    },
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
      name: 'a name that only begins like reading is blocked',
      given: { capability: 'crm.read.delete' },
      then: { effect: 'BLOCK', rule: 'writing' },
    },
  ],
};
