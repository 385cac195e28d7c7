import { type PolicyTemplate, parameter } from '../form/policy-template.ts';
import { role } from '../form/template-values.ts';

export const highRiskNeedsSecurity: PolicyTemplate = {
  id: 'high-risk-needs-security',
  name: 'High risk requires security approval',
  description:
    'High-risk tools require an approval by the security role, critical-risk tools two approvals with re-authentication. This policy only restricts: another policy, such as "Allow what was granted", must permit actions.',
  parameters: [
    parameter({
      name: 'role',
      sentence: 'Role of the approvers: a built-in role, or a role id.',
      kind: role,
      default: 'security',
      places: {
        '/rules/0/approval/approver_role': (value) => value,
        '/rules/1/approval/approver_role': (value) => value,
      },
    }),
  ],
  rules: [
    {
      id: 'critical',
      effect: 'REQUIRE_APPROVAL',
      if_missing: 'match',
      when: { field: 'tool.risk_rating', op: 'eq', value: 'CRITICAL' },
      reason: 'Critical-risk tools require two approvals by the security role.',
      approval: { approver_role: 'security', quorum: 2, step_up: true },
    },
    {
      id: 'high',
      effect: 'REQUIRE_APPROVAL',
      when: { field: 'tool.risk_rating', op: 'eq', value: 'HIGH' },
      reason: 'High-risk tools require an approval by the security role.',
      approval: { approver_role: 'security' },
    },
  ],
  tests: [
    { name: 'critical risk', given: { 'tool.risk_rating': 'CRITICAL' }, then: { effect: 'REQUIRE_APPROVAL', rule: 'critical' } },
    { name: 'high risk', given: { 'tool.risk_rating': 'HIGH' }, then: { effect: 'REQUIRE_APPROVAL', rule: 'high' } },
    { name: 'unknown risk counts as critical', given: {}, then: { effect: 'REQUIRE_APPROVAL', rule: 'critical' } },
    { name: 'lower risk is not affected', given: { 'tool.risk_rating': 'MEDIUM' }, then: { effect: 'BLOCK', rule: null } },
  ],
};
