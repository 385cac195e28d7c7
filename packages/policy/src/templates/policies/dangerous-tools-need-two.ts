import { type PolicyTemplate, parameter } from '../form/policy-template.ts';
import { count } from '../form/template-values.ts';

export const dangerousToolsNeedTwo: PolicyTemplate = {
  id: 'dangerous-tools-need-two',
  name: 'Dangerous tools require two approvals',
  description:
    'Two people must approve each use of a dangerous tool, with re-authentication. This policy only restricts: another policy, such as "Allow what was granted", must permit actions.',
  parameters: [
    parameter({
      name: 'people',
      sentence: 'Number of people who must approve.',
      kind: count(1, 10),
      default: 2,
      places: {
        '/rules/0/approval/quorum': (value) => value,
        '/rules/0/reason': (value) => `A dangerous tool requires the approval of ${value} approvers.`,
      },
    }),
  ],
  rules: [
    {
      id: 'dangerous',
      effect: 'REQUIRE_APPROVAL',
      if_missing: 'match',
      when: { field: 'tool.dangerous', op: 'is_true' },
      reason: 'A dangerous tool requires the approval of 2 approvers.',
      approval: { approver_role: 'approver', quorum: 2, expires_in_seconds: 1800, step_up: true },
    },
  ],
  tests: [
    { name: 'a dangerous tool', given: { 'tool.dangerous': true }, then: { effect: 'REQUIRE_APPROVAL', rule: 'dangerous' } },
    { name: 'an unknown tool', given: {}, then: { effect: 'REQUIRE_APPROVAL', rule: 'dangerous' } },
    { name: 'other tools are not affected', given: { 'tool.dangerous': false }, then: { effect: 'BLOCK', rule: null } },
  ],
};
