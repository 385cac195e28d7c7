import { type PolicyTemplate, parameter } from '../form/policy-template.ts';
import { count, lastWordOf, words } from '../form/template-values.ts';

export const newAgentsOnProbation: PolicyTemplate = {
  id: 'new-agents-on-probation',
  name: 'New agents on probation',
  description:
    'In its first days an agent needs a person for everything but reading. This policy only restricts: another policy, such as "Allow what was granted", must permit actions.',
  parameters: [
    parameter({
      name: 'days',
      sentence: 'Days of probation.',
      kind: count(1, 3_650),
      default: 14,
      places: {
        '/rules/0/when/all/0/value': (value) => value,
        '/rules/0/reason': (value) => `In its first ${value} days an agent needs a person to change anything.`,
        '/tests/0/given/agent.created_days': (value) => value - 1,
        '/tests/2/given/agent.created_days': (value) => value,
      },
    }),
    parameter({
      name: 'reading',
      sentence: 'Words that end the capabilities which only read.',
      kind: words,
      default: ['read', 'list', 'get', 'search'],
      places: {
        '/rules/0/when/all/1/not/value': lastWordOf,
        '/tests/1/given/capability': ([word]) => `crm.${word}`,
      },
    }),
  ],
  rules: [
    {
      id: 'probation',
      effect: 'REQUIRE_APPROVAL',
      if_missing: 'match',
      when: {
        all: [
          { field: 'agent.created_days', op: 'lt', value: 14 },
          { not: { field: 'capability', op: 'matches', value: '\\.(read|list|get|search)$' } },
        ],
      },
      reason: 'In its first 14 days an agent needs a person to change anything.',
    },
  ],
  tests: [
    {
      name: 'a new agent changes something',
      given: { 'agent.created_days': 13, capability: 'crm.update' },
      then: { effect: 'REQUIRE_APPROVAL', rule: 'probation' },
    },
    {
      name: 'a new agent that reads is not meant',
      given: { 'agent.created_days': 0, capability: 'crm.read' },
      then: { effect: 'BLOCK', rule: null },
    },
    {
      name: 'an agent past its probation is not meant',
      given: { 'agent.created_days': 14, capability: 'crm.update' },
      then: { effect: 'BLOCK', rule: null },
    },
  ],
};
