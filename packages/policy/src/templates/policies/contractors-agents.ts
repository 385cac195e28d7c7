import { type PolicyTemplate, parameter } from '../form/policy-template.ts';
import { label } from '../form/template-values.ts';

export const contractorsAgents: PolicyTemplate = {
  id: 'contractors-agents',
  name: 'Agents of contractors',
  description:
    'Blocks agents with the label employment=contractor in production, and requires approval for high-risk tools elsewhere. This policy only restricts: another policy, such as "Allow what was granted", must permit actions.',
  parameters: [
    parameter({
      name: 'label',
      sentence: 'Value of the label "employment" that marks a contractor.',
      kind: label,
      default: 'contractor',
      places: {
        '/rules/0/when/all/0/value': (value) => value,
        '/rules/1/when/all/0/value': (value) => value,
        '/tests/0/given/agent/labels/employment': (value) => value,
        '/tests/1/given/agent/labels/employment': (value) => value,
        '/tests/2/given/agent/labels/employment': (value) => value,
        '/tests/3/given/agent/labels/employment': (value) => `not ${value}`,
      },
    }),
  ],
  rules: [
    {
      id: 'no-production',
      effect: 'BLOCK',
      when: {
        all: [
          { field: 'agent.labels.employment', op: 'eq', value: 'contractor' },
          { field: 'environment.type', op: 'eq', value: 'PRODUCTION' },
        ],
      },
      reason: 'Agents of contractors are blocked in production.',
    },
    {
      id: 'high-risk',
      effect: 'REQUIRE_APPROVAL',
      when: {
        all: [
          { field: 'agent.labels.employment', op: 'eq', value: 'contractor' },
          { field: 'tool.risk_rating', op: 'in', value: ['HIGH', 'CRITICAL'] },
        ],
      },
      reason: 'High-risk tools require approval for agents of contractors.',
    },
  ],
  tests: [
    {
      name: 'production',
      given: { agent: { labels: { employment: 'contractor' } }, 'environment.type': 'PRODUCTION', 'tool.risk_rating': 'LOW' },
      then: { effect: 'BLOCK', rule: 'no-production' },
    },
    {
      name: 'high risk elsewhere',
      given: { agent: { labels: { employment: 'contractor' } }, 'environment.type': 'STAGING', 'tool.risk_rating': 'HIGH' },
      then: { effect: 'REQUIRE_APPROVAL', rule: 'high-risk' },
    },
    {
      name: 'low risk elsewhere is not affected',
      given: { agent: { labels: { employment: 'contractor' } }, 'environment.type': 'STAGING', 'tool.risk_rating': 'LOW' },
      then: { effect: 'BLOCK', rule: null },
    },
    {
      name: 'own agents are not affected',
      given: { agent: { labels: { employment: 'not contractor' } }, 'environment.type': 'PRODUCTION', 'tool.risk_rating': 'HIGH' },
      then: { effect: 'BLOCK', rule: null },
    },
  ],
};
