import { CONFIDENTIAL_LEAVES } from '../form/confidential-leaves.ts';
import { type PolicyTemplate, parameter } from '../form/policy-template.ts';
import { role } from '../form/template-values.ts';

export const blockExfiltrationAfterUntrustedContent: PolicyTemplate = {
  id: 'block-exfiltration-after-untrusted-content',
  name: 'No confidential data leaves after untrusted content',
  description:
    'Requests that could carry confidential data away, after the agent read untrusted content, require an approval. This policy only restricts: another policy, such as "Allow what was granted", must permit actions.',
  parameters: [
    parameter({
      name: 'role',
      sentence: 'Role of the approvers: a built-in role, or a role id.',
      kind: role,
      default: 'security',
      places: { '/rules/0/approval/approver_role': (value) => value },
    }),
  ],
  rules: [
    {
      id: 'leaving',
      effect: 'REQUIRE_APPROVAL',
      when: { all: [{ field: 'session.labels', op: 'contains', value: 'untrusted_content' }, CONFIDENTIAL_LEAVES] },
      reason: 'The request could carry confidential data away, and the agent has read untrusted content.',
      approval: { approver_role: 'security' },
    },
  ],
  tests: [
    {
      name: 'data of people leaves after a strange page',
      given: { 'session.labels': ['personal_data', 'untrusted_content'], 'session.labels_leaving': ['personal_data'] },
      then: { effect: 'REQUIRE_APPROVAL', rule: 'leaving' },
    },
    {
      name: 'nothing leaves',
      given: { 'session.labels': ['personal_data', 'untrusted_content'], 'session.labels_leaving': [] },
      then: { effect: 'BLOCK', rule: null },
    },
  ],
};
