import { type PolicyTemplate, parameter } from '../form/policy-template.ts';
import { networks } from '../form/template-values.ts';

export const officeNetworkOnly: PolicyTemplate = {
  id: 'office-network-only',
  name: 'Known networks only',
  description:
    'Blocks requests from outside the listed networks. This policy only restricts: another policy, such as "Allow what was granted", must permit actions.',
  parameters: [
    parameter({
      name: 'networks',
      sentence: 'Networks that requests may come from.',
      kind: networks(1),
      default: ['192.0.2.0/24', '2001:db8::/32'],
      places: {
        '/rules/0/when/not/value': (value) => value,
        '/tests/0/given/request.source_ip': (value) => value[0]?.split('/')[0],
        '/tests/1/given/request.source_ip': (value) => value.at(-1)?.split('/')[0],
      },
    }),
  ],
  rules: [
    {
      id: 'elsewhere',
      effect: 'BLOCK',
      if_missing: 'match',
      when: { not: { field: 'request.source_ip', op: 'cidr', value: ['192.0.2.0/24', '2001:db8::/32'] } },
      reason: 'Requests are allowed from known networks only.',
    },
  ],
  tests: [
    { name: 'a known network is not affected', given: { 'request.source_ip': '192.0.2.0' }, then: { effect: 'BLOCK', rule: null } },
    {
      name: 'the last known network is not affected',
      given: { 'request.source_ip': '2001:db8::' },
      then: { effect: 'BLOCK', rule: null },
    },
    { name: 'elsewhere', given: { 'request.source_ip': '203.0.113.7' }, then: { effect: 'BLOCK', rule: 'elsewhere' } },
    { name: 'unknown network', given: {}, then: { effect: 'BLOCK', rule: 'elsewhere' } },
  ],
};
