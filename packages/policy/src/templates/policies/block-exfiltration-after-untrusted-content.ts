import { leaves } from '../form/flow-conditions.ts';
import { type PolicyTemplate, parameter } from '../form/policy-template.ts';
import { words } from '../form/template-values.ts';

export const blockExfiltrationAfterUntrustedContent: PolicyTemplate = {
  id: 'block-exfiltration-after-untrusted-content',
  name: 'No data leaves after untrusted content',
  description:
    'An agent that has read content of strangers sends no labelled data to destinations or people it is not meant for. This policy only restricts: another policy, such as "Allow what was granted", must permit actions. Tools need declared labels.',
  parameters: [
    parameter({
      name: 'labels',
      sentence: 'Labels of data that must not leave without a person.',
      kind: words,
      default: ['personal_data', 'secret', 'internal'],
      places: {
        '/rules/0/when/all/1/any': (labels) => labels.map(leaves),
        '/tests/0/given/session.labels_leaving': ([label]) => [label],
      },
    }),
  ],
  rules: [
    {
      id: 'exfiltration',
      effect: 'BLOCK',
      if_missing: 'match',
      when: {
        all: [
          { field: 'session.labels', op: 'contains', value: 'untrusted_content' },
          { any: [leaves('personal_data'), leaves('secret'), leaves('internal')] },
        ],
      },
      reason: 'The agent has read content of strangers, and the request would carry data out.',
    },
  ],
  tests: [
    {
      name: 'data leaves after untrusted content',
      given: { 'session.labels': ['personal_data', 'untrusted_content'], 'session.labels_leaving': ['personal_data'] },
      then: { effect: 'BLOCK', rule: 'exfiltration' },
    },
    {
      name: 'data leaves, and nothing untrusted was read',
      given: { 'session.labels': ['personal_data'], 'session.labels_leaving': ['personal_data'] },
      then: { effect: 'BLOCK', rule: null },
    },
    {
      name: 'no data leaves',
      given: { 'session.labels': ['untrusted_content'], 'session.labels_leaving': [] },
      then: { effect: 'BLOCK', rule: null },
    },
    { name: 'unknown labels count', given: {}, then: { effect: 'BLOCK', rule: 'exfiltration' } },
  ],
};
