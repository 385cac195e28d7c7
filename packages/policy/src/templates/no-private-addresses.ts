// biome-ignore-all lint/suspicious/noThenProperty: `then` is a member of a recorded test, and data
import type { PolicyTemplate } from '../policy-template.ts';

export const noPrivateAddresses: PolicyTemplate = {
  id: 'no-private-addresses',
  name: 'No private addresses',
  description:
    'Nothing is sent to an address or name inside a network, such as 10.1.2.3 or db.internal. The gateway checks by itself what a public name turns out to be. It only restricts: what may run at all is said by another policy, such as "Allow what was granted".',
  parameters: [{ name: 'networks', sentence: 'Networks that are not called.', pointers: ['/rules/0/when/value'] }],
  rules: [
    {
      id: 'address',
      effect: 'BLOCK',
      when: {
        field: 'destination.ip',
        op: 'cidr',
        value: [
          '0.0.0.0/8',
          '10.0.0.0/8',
          '100.64.0.0/10',
          '127.0.0.0/8',
          '169.254.0.0/16',
          '172.16.0.0/12',
          '192.168.0.0/16',
          '::1/128',
          'fc00::/7',
          'fe80::/10',
        ],
      },
      reason: 'Agents do not call addresses inside a network.',
    },
    {
      id: 'name',
      effect: 'BLOCK',
      when: {
        any: [
          { field: 'destination.host', op: 'eq', value: 'localhost' },
          { field: 'destination.host', op: 'ends_with', value: '.localhost' },
          { field: 'destination.host', op: 'ends_with', value: '.local' },
          { field: 'destination.host', op: 'ends_with', value: '.internal' },
        ],
      },
      reason: 'Agents do not call hosts inside a network.',
    },
  ],
  tests: [
    {
      name: 'a private address',
      given: { 'destination.host': '10.1.2.3', 'destination.ip': '10.1.2.3' },
      then: { effect: 'BLOCK', rule: 'address' },
    },
    {
      name: "the service that hands out a machine's keys",
      given: { 'destination.ip': '::ffff:169.254.169.254' },
      then: { effect: 'BLOCK', rule: 'address' },
    },
    { name: 'a name inside', given: { 'destination.host': 'db.internal' }, then: { effect: 'BLOCK', rule: 'name' } },
    {
      name: 'a public address is not meant',
      given: { 'destination.host': '203.0.113.7', 'destination.ip': '203.0.113.7' },
      then: { effect: 'BLOCK', rule: null },
    },
    { name: 'a public name is not meant', given: { 'destination.host': 'api.example.com' }, then: { effect: 'BLOCK', rule: null } },
  ],
};
