import { type PolicyTemplate, parameter } from '../form/policy-template.ts';
import { domains } from '../form/template-values.ts';

export const dataStaysInDomains: PolicyTemplate = {
  id: 'data-stays-in-domains',
  name: 'Data stays in named domains',
  description:
    'Nothing goes to a host outside the named domains, and nothing runs that does not say where it goes: declare destination_from on tools that agents run themselves. This policy only restricts: another policy, such as "Allow what was granted", must permit actions.',
  parameters: [
    parameter({
      name: 'domains',
      sentence: 'Domains that data may go to, with every host in them.',
      kind: domains,
      default: ['example.com'],
      places: {
        '/rules/0/when/not/any': (value) => [
          { field: 'destination.host', op: 'in', value },
          ...value.map((domain) => ({ field: 'destination.host', op: 'ends_with', value: `.${domain}` })),
        ],
        '/rules/0/reason': (value) => `Data does not leave ${value.join(', ')}.`,
        '/tests/0/given/destination.host': ([domain]) => domain,
        '/tests/1/given/destination.host': ([domain]) => `API.${domain}.`,
        '/tests/2/given/destination.host': ([domain]) => `${domain}.attacker.example`,
        '/tests/3/given/destination.host': ([domain]) => `not${domain}`,
      },
    }),
  ],
  rules: [
    {
      id: 'elsewhere',
      effect: 'BLOCK',
      if_missing: 'match',
      when: {
        not: {
          any: [
            { field: 'destination.host', op: 'in', value: ['example.com'] },
            { field: 'destination.host', op: 'ends_with', value: '.example.com' },
          ],
        },
      },
      reason: 'Data does not leave example.com.',
    },
  ],
  tests: [
    { name: 'the domain itself is not meant', given: { 'destination.host': 'example.com' }, then: { effect: 'BLOCK', rule: null } },
    { name: 'a host of the domain is not meant', given: { 'destination.host': 'API.example.com.' }, then: { effect: 'BLOCK', rule: null } },
    { name: 'another domain', given: { 'destination.host': 'example.com.attacker.example' }, then: { effect: 'BLOCK', rule: 'elsewhere' } },
    { name: 'a name that only looks alike', given: { 'destination.host': 'notexample.com' }, then: { effect: 'BLOCK', rule: 'elsewhere' } },
    { name: 'an address', given: { 'destination.host': '203.0.113.7' }, then: { effect: 'BLOCK', rule: 'elsewhere' } },
    { name: 'what does not say where it goes', given: { 'tool.kind': 'SDK' }, then: { effect: 'BLOCK', rule: 'elsewhere' } },
  ],
};
