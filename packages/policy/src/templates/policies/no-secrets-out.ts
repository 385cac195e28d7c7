import type { PolicyTemplate } from '../form/policy-template.ts';

export const noSecretsOut: PolicyTemplate = {
  id: 'no-secrets-out',
  name: 'Secrets in parameters do not leave',
  description:
    'Blocks requests whose parameters contain a secret (a key, a token or a password of a known form) unless the destination is one of the organization. This policy only restricts: another policy, such as "Allow what was granted", must permit actions.',
  rules: [
    {
      id: 'secret',
      effect: 'BLOCK',
      when: {
        all: [
          { field: 'risk.signals', op: 'contains', value: 'secret_in_parameters' },
          { not: { field: 'destination.internal', op: 'is_true' } },
        ],
      },
      if_missing: 'match',
      reason: 'The parameters contain a secret.',
    },
  ],
  tests: [
    {
      name: 'a secret to another organization',
      given: { 'risk.signals': ['secret_in_parameters'], 'destination.internal': false },
      then: { effect: 'BLOCK', rule: 'secret' },
    },
    {
      name: 'a secret, and the destination is not known',
      given: { 'risk.signals': ['secret_in_parameters'] },
      then: { effect: 'BLOCK', rule: 'secret' },
    },
    {
      name: 'a secret to an own host',
      given: { 'risk.signals': ['secret_in_parameters'], 'destination.internal': true },
      then: { effect: 'BLOCK', rule: null },
    },
    { name: 'no secret', given: { 'risk.signals': [], 'destination.internal': false }, then: { effect: 'BLOCK', rule: null } },
  ],
};
