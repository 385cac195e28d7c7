import { type PolicyTemplate, parameter } from '../form/policy-template.ts';
import { domains } from '../form/template-values.ts';

export const dataStaysInDomains: PolicyTemplate = {
  id: 'data-stays-in-domains',
  name: 'Data stays in listed domains',
  description:
    'Blocks requests to hosts outside the listed domains, and requests without a destination: declare destination_from on tools that agents run themselves. This policy only restricts: another policy, such as "Allow what was granted", must permit actions.',
  parameters: [
    parameter({
      name: 'domains',
      sentence: 'Domains that data may be sent to, including all their hosts.',
      kind: domains,
      default: ['example.com'],
      places: {
        '/rules/0/when/not/any': (value) => [
          { field: 'destination.host', op: 'in', value },
          ...value.map((domain) => ({ field: 'destination.host', op: 'ends_with', value: `.${domain}` })),
        ],
        '/rules/0/reason': (value) => `Data must not leave ${value.join(', ')}.`,
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
      reason: 'Data must not leave example.com.',
    },
  ],
  tests: [
    { name: 'the domain itself is not affected', given: { 'destination.host': 'example.com' }, then: { effect: 'BLOCK', rule: null } },
    { name: 'a host of the domain is not affected', given: { 'destination.host': 'API.example.com.' }, then: { effect: 'BLOCK', rule: null } },
    { name: 'another domain', given: { 'destination.host': 'example.com.attacker.example' }, then: { effect: 'BLOCK', rule: 'elsewhere' } },
    { name: 'a similar domain', given: { 'destination.host': 'notexample.com' }, then: { effect: 'BLOCK', rule: 'elsewhere' } },
    { name: 'an address', given: { 'destination.host': '203.0.113.7' }, then: { effect: 'BLOCK', rule: 'elsewhere' } },
    { name: 'a request without a destination', given: { 'tool.kind': 'SDK' }, then: { effect: 'BLOCK', rule: 'elsewhere' } },
  ],
};
