import { type PolicyTemplate, parameter } from '../form/policy-template.ts';
import { networks } from '../form/template-values.ts';

/**
 * Addresses outside the public internet: private, shared, local, reserved, for documentation, multicast, segment routing, cloud metadata
 * services, and IPv4 inside IPv6.
 */
const INSIDE = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '168.63.129.16/32',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '::/96',
  '::ffff:0:0:0/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/9',
  'ff00::/8',
];

export const noPrivateAddresses: PolicyTemplate = {
  id: 'no-private-addresses',
  name: 'No private addresses',
  description:
    'Blocks destinations with a private address or an internal name, such as 10.1.2.3 or db.internal, including IPv6 forms of such addresses, and host names without a dot. Requests without a destination are blocked too, so declare destination_from on tools that agents run themselves. The gateway also checks the addresses of public names. Addresses in other parameters are not checked. This policy only restricts: another policy, such as "Allow what was granted", must permit actions.',
  parameters: [
    parameter({
      name: 'networks',
      sentence: 'Additional networks to block.',
      kind: networks(0),
      default: [],
      places: { '/rules/0/when/value': (value) => [...INSIDE, ...value] },
    }),
  ],
  rules: [
    {
      id: 'address',
      effect: 'BLOCK',
      when: { field: 'destination.ip', op: 'cidr', value: INSIDE },
      reason: 'Agents must not call private addresses.',
    },
    {
      id: 'name',
      effect: 'BLOCK',
      if_missing: 'match',
      when: {
        any: [
          // ISATAP: an IPv4 address after 5efe in an IPv6 address of any network.
          { field: 'destination.host', op: 'matches', value: '[:[](0:|2?0?0?:)?5efe:[0-9a-f:]{1,9}\\]?$' },
          // A name of one word is looked up in the local network.
          { field: 'destination.host', op: 'matches', value: '^[^.:]*\\.?$' },
          {
            field: 'destination.host',
            op: 'matches',
            value: '(^|\\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|private|test|invalid|onion|home\\.arpa)\\.?$',
          },
        ],
      },
      reason: 'Agents must not call internal hosts.',
    },
  ],
  tests: [
    {
      name: 'a private address',
      given: { 'destination.host': '10.1.2.3', 'destination.ip': '10.1.2.3' },
      then: { effect: 'BLOCK', rule: 'address' },
    },
    {
      name: "the metadata service with a machine's keys",
      given: { 'destination.host': '::ffff:169.254.169.254', 'destination.ip': '::ffff:169.254.169.254' },
      then: { effect: 'BLOCK', rule: 'address' },
    },
    {
      name: 'a private address translated to IPv6',
      given: { 'destination.host': '64:ff9b::a01:203', 'destination.ip': '64:ff9b::a01:203' },
      then: { effect: 'BLOCK', rule: 'address' },
    },
    { name: 'an internal name', given: { 'destination.host': 'db.internal' }, then: { effect: 'BLOCK', rule: 'name' } },
    {
      name: 'a public address is not affected',
      given: { 'destination.host': '93.184.216.34', 'destination.ip': '93.184.216.34' },
      then: { effect: 'BLOCK', rule: null },
    },
    { name: 'a public name is not affected', given: { 'destination.host': 'api.example.com' }, then: { effect: 'BLOCK', rule: null } },
  ],
};
