import type { PolicyTemplate } from '../form/policy-template.ts';

export const allowGranted: PolicyTemplate = {
  id: 'allow-granted',
  name: 'Allow what was granted',
  description:
    'Allows every action that the agent has the capability and the authorization for, unless another policy is stricter. A base for restrictions.',
  rules: [{ id: 'granted', effect: 'ALLOW', reason: 'The agent was granted this capability.' }],
  tests: [{ name: 'granted actions are allowed', given: { 'tool.name': 'refund.create' }, then: { effect: 'ALLOW', rule: 'granted' } }],
};
