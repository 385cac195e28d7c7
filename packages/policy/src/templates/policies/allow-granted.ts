import type { PolicyTemplate } from '../form/policy-template.ts';

export const allowGranted: PolicyTemplate = {
  id: 'allow-granted',
  name: 'Allow what was granted',
  description:
    'Everything an agent holds the capability for and is authorized to use may run, unless another policy is stricter. A base to put restrictions on.',
  rules: [{ id: 'granted', effect: 'ALLOW', reason: 'The agent was granted this.' }],
  tests: [{ name: 'what was granted may run', given: { 'tool.name': 'refund.create' }, then: { effect: 'ALLOW', rule: 'granted' } }],
};
