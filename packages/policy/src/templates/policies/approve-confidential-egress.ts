import { CONFIDENTIAL_LEAVES } from '../form/confidential-leaves.ts';
import { type PolicyTemplate, parameter } from '../form/policy-template.ts';
import { role } from '../form/template-values.ts';

export const approveConfidentialEgress: PolicyTemplate = {
  id: 'approve-confidential-egress',
  name: 'Confidential data leaves with an approval',
  description:
    'Requests that could carry confidential data to where it did not come from require an approval. This policy only restricts: another policy, such as "Allow what was granted", must permit actions.',
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
      id: 'leaving',
      effect: 'REQUIRE_APPROVAL',
      when: CONFIDENTIAL_LEAVES,
      reason: 'The request could carry confidential data to where it did not come from.',
      approval: { approver_role: 'approver' },
    },
  ],
  tests: [
    { name: 'a secret leaves', given: { 'session.labels_leaving': ['secret'] }, then: { effect: 'REQUIRE_APPROVAL', rule: 'leaving' } },
    { name: 'nothing leaves', given: { 'session.labels_leaving': [] }, then: { effect: 'BLOCK', rule: null } },
  ],
};
