import { leaves } from '../form/flow-conditions.ts';
import { type PolicyTemplate, parameter } from '../form/policy-template.ts';
import { words } from '../form/template-values.ts';

export const approveConfidentialEgress: PolicyTemplate = {
  id: 'approve-confidential-egress',
  name: 'Labelled data leaves with an approval',
  description:
    'A person approves each request that could carry labelled data to destinations or people it is not meant for. This policy only restricts: another policy, such as "Allow what was granted", must permit actions. Tools need declared labels.',
  parameters: [
    parameter({
      name: 'labels',
      sentence: 'Labels of data that must not leave without a person.',
      kind: words,
      default: ['personal_data', 'secret', 'internal'],
      places: {
        '/rules/0/when/any': (labels) => labels.map(leaves),
        '/tests/0/given/session.labels_leaving': ([label]) => [label],
      },
    }),
  ],
  rules: [
    {
      id: 'egress',
      effect: 'REQUIRE_APPROVAL',
      if_missing: 'match',
      when: { any: [leaves('personal_data'), leaves('secret'), leaves('internal')] },
      reason: 'The request would carry data out.',
      approval: { approver_role: 'approver' },
    },
  ],
  tests: [
    {
      name: 'data leaves',
      given: { 'session.labels_leaving': ['personal_data'] },
      then: { effect: 'REQUIRE_APPROVAL', rule: 'egress' },
    },
    { name: 'no data leaves', given: { 'session.labels_leaving': [] }, then: { effect: 'BLOCK', rule: null } },
    { name: 'unknown labels count', given: {}, then: { effect: 'REQUIRE_APPROVAL', rule: 'egress' } },
  ],
};
