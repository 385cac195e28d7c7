import { type PolicyTemplate, parameter } from '../form/policy-template.ts';
import { count, matchLastWord, words } from '../form/template-values.ts';

export const newAgentsOnProbation: PolicyTemplate = {
  id: 'new-agents-on-probation',
  name: 'New agents on probation',
  description:
    'New agents require approval for everything except reading. This policy only restricts: another policy, such as "Allow what was granted", must permit actions.',
  parameters: [
    parameter({
      name: 'days',
      sentence: 'Length of the probation in days.',
      kind: count(1, 3_650),
      default: 14,
      places: {
        '/rules/0/when/all/0/value': (value) => value,
        '/rules/0/reason': (value) => `Changes by an agent require approval in its first ${value} days.`,
        '/tests/0/given/agent.created_days': (value) => value - 1,
        '/tests/2/given/agent.created_days': (value) => value,
      },
    }),
    parameter({
      name: 'reading',
      sentence: 'Last words of capabilities that only read.',
      kind: words,
      default: ['read', 'list', 'get', 'search'],
      places: {
        '/rules/0/when/all/1/not/value': matchLastWord,
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
      reason: 'Changes by an agent require approval in its first 14 days.',
    },
  ],
  tests: [
    {
      name: 'a new agent changes something',
      given: { 'agent.created_days': 13, capability: 'crm.update' },
      then: { effect: 'REQUIRE_APPROVAL', rule: 'probation' },
    },
    {
      name: 'a new agent that reads is not affected',
      given: { 'agent.created_days': 0, capability: 'crm.read' },
      then: { effect: 'BLOCK', rule: null },
    },
    {
      name: 'an agent after its probation is not affected',
      given: { 'agent.created_days': 14, capability: 'crm.update' },
      then: { effect: 'BLOCK', rule: null },
    },
  ],
};
