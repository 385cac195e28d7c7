import { leaves } from '../form/flow-conditions.ts';
import type { PolicyTemplate } from '../form/policy-template.ts';

export const secretsStayInside: PolicyTemplate = {
  id: 'secrets-stay-inside',
  name: 'Secrets stay inside',
  description:
    'No request carries a secret that the agent has read out of the organization. This policy only restricts: another policy, such as "Allow what was granted", must permit actions. Tools need declared labels.',
  rules: [
    {
      id: 'secret',
      effect: 'BLOCK',
      if_missing: 'match',
      when: leaves('secret'),
      reason: 'The request would carry a secret out.',
    },
  ],
  tests: [
    { name: 'a secret leaves', given: { 'session.labels_leaving': ['secret'] }, then: { effect: 'BLOCK', rule: 'secret' } },
    { name: 'other data leaves', given: { 'session.labels_leaving': ['internal'] }, then: { effect: 'BLOCK', rule: null } },
    { name: 'unknown labels count', given: {}, then: { effect: 'BLOCK', rule: 'secret' } },
  ],
};
