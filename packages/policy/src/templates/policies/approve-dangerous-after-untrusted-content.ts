import { type PolicyTemplate, parameter } from '../form/policy-template.ts';
import { role } from '../form/template-values.ts';

export const approveDangerousAfterUntrustedContent: PolicyTemplate = {
  id: 'approve-dangerous-after-untrusted-content',
  name: 'Dangerous tools require an approval after untrusted content',
  description:
    'Dangerous, high-risk and critical-risk tools require an approval after the agent read untrusted content, unless they declare no side effects. This policy only restricts: another policy, such as "Allow what was granted", must permit actions.',
  parameters: [
    parameter({
      name: 'role',
      sentence: 'Role of the approvers: a built-in role, or a role id.',
      kind: role,
      default: 'approver',
      places: { '/rules/0/approval/approver_role': (value) => value },
    }),
  ],
  rules: [
    {
      id: 'dangerous',
      effect: 'REQUIRE_APPROVAL',
      when: {
        all: [
          { field: 'session.labels', op: 'contains', value: 'untrusted_content' },
          {
            any: [
              { field: 'tool.dangerous', op: 'is_true' },
              { field: 'tool.risk_rating', op: 'in', value: ['HIGH', 'CRITICAL'] },
            ],
          },
          {
            any: [
              { field: 'tool.side_effects', op: 'not_exists' },
              { field: 'tool.side_effects', op: 'neq', value: 'NONE' },
            ],
          },
        ],
      },
      reason: 'The agent has read untrusted content, and the tool can do harm.',
      approval: { approver_role: 'approver' },
    },
  ],
  tests: [
    {
      name: 'a dangerous tool after a strange page',
      given: { 'session.labels': ['untrusted_content'], 'tool.dangerous': true },
      then: { effect: 'REQUIRE_APPROVAL', rule: 'dangerous' },
    },
    {
      name: 'a tool without side effects',
      given: { 'session.labels': ['untrusted_content'], 'tool.risk_rating': 'HIGH', 'tool.side_effects': 'NONE' },
      then: { effect: 'BLOCK', rule: null },
    },
    {
      name: 'nothing untrusted was read',
      given: { 'session.labels': [], 'tool.dangerous': true },
      then: { effect: 'BLOCK', rule: null },
    },
  ],
};
