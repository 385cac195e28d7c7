import type { PolicyTemplate } from '../form/policy-template.ts';

export const freshContextForSecrets: PolicyTemplate = {
  id: 'fresh-context-for-secrets',
  name: 'Secrets are read in a fresh context',
  description:
    'An agent that has read content of strangers reads no secret in the same flow context. This policy only restricts: another policy, such as "Allow what was granted", must permit actions. Tools need declared labels.',
  rules: [
    {
      id: 'secret-after-untrusted',
      effect: 'BLOCK',
      if_missing: 'match',
      when: {
        all: [
          { field: 'tool.labels', op: 'contains', value: 'secret' },
          { field: 'session.labels', op: 'contains', value: 'untrusted_content' },
        ],
      },
      reason: 'The agent has read content of strangers. Read secrets in a fresh context.',
    },
  ],
  tests: [
    {
      name: 'a secret after untrusted content',
      given: { 'tool.labels': ['secret'], 'session.labels': ['untrusted_content'] },
      then: { effect: 'BLOCK', rule: 'secret-after-untrusted' },
    },
    {
      name: 'a secret in a fresh context',
      given: { 'tool.labels': ['secret'], 'session.labels': [] },
      then: { effect: 'BLOCK', rule: null },
    },
    {
      name: 'other data after untrusted content',
      given: { 'tool.labels': ['internal'], 'session.labels': ['untrusted_content'] },
      then: { effect: 'BLOCK', rule: null },
    },
    { name: 'unknown facts count', given: {}, then: { effect: 'BLOCK', rule: 'secret-after-untrusted' } },
  ],
};
