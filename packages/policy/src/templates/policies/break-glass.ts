import type { PolicyTemplate } from '../form/policy-template.ts';

export const breakGlass: PolicyTemplate = {
  id: 'break-glass',
  name: 'Break glass',
  description:
    'Blocks dangerous tools in production, except for agents with the label break-glass=active, which need an approval by the security role, with re-authentication, within 15 minutes. Set the label for the emergency and remove it afterwards. This policy only restricts: another policy, such as "Allow what was granted", must permit actions.',
  rules: [
    {
      id: 'sealed',
      effect: 'BLOCK',
      if_missing: 'match',
      when: {
        all: [
          { field: 'environment.type', op: 'eq', value: 'PRODUCTION' },
          { field: 'tool.dangerous', op: 'is_true' },
          {
            not: {
              all: [
                { field: 'agent.labels.break-glass', op: 'exists' },
                { field: 'agent.labels.break-glass', op: 'eq', value: 'active' },
              ],
            },
          },
        ],
      },
      reason: 'Dangerous tools are blocked in production unless break-glass access is active for the agent.',
    },
    {
      id: 'broken',
      effect: 'REQUIRE_APPROVAL',
      when: {
        all: [
          { field: 'environment.type', op: 'eq', value: 'PRODUCTION' },
          { field: 'tool.dangerous', op: 'is_true' },
          { field: 'agent.labels.break-glass', op: 'eq', value: 'active' },
        ],
      },
      reason: 'Break-glass access requires an approval by the security role.',
      approval: { approver_role: 'security', expires_in_seconds: 900, step_up: true },
    },
  ],
  tests: [
    {
      name: 'sealed',
      given: { 'environment.type': 'PRODUCTION', 'tool.dangerous': true, agent: { labels: { team: 'ops' } } },
      then: { effect: 'BLOCK', rule: 'sealed' },
    },
    {
      name: 'the label has another value',
      given: { 'environment.type': 'PRODUCTION', 'tool.dangerous': true, 'agent.labels.break-glass': 'over' },
      then: { effect: 'BLOCK', rule: 'sealed' },
    },
    {
      name: 'broken',
      given: { 'environment.type': 'PRODUCTION', 'tool.dangerous': true, 'agent.labels.break-glass': 'active' },
      then: { effect: 'REQUIRE_APPROVAL', rule: 'broken' },
    },
    {
      name: 'harmless tools are not affected',
      given: { 'environment.type': 'PRODUCTION', 'tool.dangerous': false },
      then: { effect: 'BLOCK', rule: null },
    },
    {
      name: 'staging is not affected',
      given: { 'environment.type': 'STAGING', 'tool.dangerous': true },
      then: { effect: 'BLOCK', rule: null },
    },
  ],
};
