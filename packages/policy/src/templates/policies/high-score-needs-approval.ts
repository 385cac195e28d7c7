import { type PolicyTemplate, parameter } from '../form/policy-template.ts';
import { role } from '../form/template-values.ts';

export const highScoreNeedsApproval: PolicyTemplate = {
  id: 'high-score-needs-approval',
  name: 'A high risk score requires an approval',
  description:
    'Requests with a risk score of 70 and more require an approval by the security role, those with 90 and more are blocked. While the history of an agent is unknown, the score is a lower bound: what is known of it still counts. This policy only restricts: another policy, such as "Allow what was granted", must permit actions.',
  parameters: [
    parameter({
      name: 'role',
      sentence: 'Role of the approvers: a built-in role, or a role id.',
      kind: role,
      default: 'security',
      places: { '/rules/1/approval/approver_role': (value) => value },
    }),
  ],
  rules: [
    {
      id: 'very-high',
      effect: 'BLOCK',
      when: { field: 'risk.score', op: 'gte', value: 90 },
      reason: 'The risk score of the request is very high.',
    },
    {
      id: 'high',
      effect: 'REQUIRE_APPROVAL',
      when: { field: 'risk.score', op: 'gte', value: 70 },
      reason: 'The risk score of the request is high.',
      approval: { approver_role: 'security' },
    },
  ],
  tests: [
    { name: 'a very high score', given: { 'risk.score': 90 }, then: { effect: 'BLOCK', rule: 'very-high' } },
    { name: 'a high score', given: { 'risk.score': 70 }, then: { effect: 'REQUIRE_APPROVAL', rule: 'high' } },
    { name: 'a score below', given: { 'risk.score': 69 }, then: { effect: 'BLOCK', rule: null } },
  ],
};
