import type { PolicyTemplate } from '../form/policy-template.ts';

export const approveDangerousAfterUntrustedContent: PolicyTemplate = {
  id: 'approve-dangerous-after-untrusted-content',
  name: 'Dangerous tools require an approval after untrusted content',
  description:
    'After an agent has read content of strangers, a person approves each use of a dangerous or high-risk tool, unless the tool is declared to have no side effects. This policy only restricts: another policy, such as "Allow what was granted", must permit actions. Tools need declared labels.',
  rules: [
    {
      id: 'dangerous',
      effect: 'REQUIRE_APPROVAL',
      if_missing: 'match',
      when: {
        all: [
          { field: 'session.labels', op: 'contains', value: 'untrusted_content' },
          {
            any: [
              { field: 'tool.dangerous', op: 'is_true' },
              { field: 'tool.risk_rating', op: 'in', value: ['HIGH', 'CRITICAL'] },
            ],
          },
          { not: { field: 'tool.side_effects', op: 'eq', value: 'NONE' } },
        ],
      },
      reason: 'The agent has read content of strangers, which may ask for this.',
      approval: { approver_role: 'approver' },
    },
  ],
  tests: [
    {
      name: 'a dangerous tool after untrusted content',
      given: { 'session.labels': ['untrusted_content'], 'tool.dangerous': true, 'tool.risk_rating': 'LOW' },
      then: { effect: 'REQUIRE_APPROVAL', rule: 'dangerous' },
    },
    {
      name: 'a high-risk tool after untrusted content',
      given: { 'session.labels': ['untrusted_content'], 'tool.dangerous': false, 'tool.risk_rating': 'HIGH' },
      then: { effect: 'REQUIRE_APPROVAL', rule: 'dangerous' },
    },
    {
      name: 'another tool after untrusted content',
      given: { 'session.labels': ['untrusted_content'], 'tool.dangerous': false, 'tool.risk_rating': 'MEDIUM' },
      then: { effect: 'BLOCK', rule: null },
    },
    {
      name: 'a dangerous tool, and nothing untrusted was read',
      given: { 'session.labels': [], 'tool.dangerous': true, 'tool.risk_rating': 'HIGH' },
      then: { effect: 'BLOCK', rule: null },
    },
    {
      name: 'a high-risk tool that has no side effects',
      given: {
        'session.labels': ['untrusted_content'],
        'tool.dangerous': false,
        'tool.risk_rating': 'HIGH',
        'tool.side_effects': 'NONE',
      },
      then: { effect: 'BLOCK', rule: null },
    },
    { name: 'unknown facts count', given: {}, then: { effect: 'REQUIRE_APPROVAL', rule: 'dangerous' } },
  ],
};
