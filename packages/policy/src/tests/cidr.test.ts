import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { newRun } from '../evaluation/node.ts';
import { FALSE, TRUE } from '../evaluation/outcome.ts';
import { parseAddress } from '../values/address.ts';
import { parseNetwork } from '../values/network.ts';
import { compileCidr } from './cidr.ts';

const run = () => newRun(Number.POSITIVE_INFINITY);

/** Few different bytes, so that addresses lie in networks and next to them. */
const byte = fc.constantFrom(0, 1, 127, 128, 254, 255);
const bytes4 = fc.array(byte, { minLength: 4, maxLength: 4 });
const bytes16 = fc.array(byte, { minLength: 16, maxLength: 16 });
const getText = (bytes: number[]): string => ipaddr.fromByteArray(bytes).toString();

const getNetwork = (bytes: number[], share: number): string => {
  const bits = Math.min(bytes.length * 8, share);
  const cidr = `${getText(bytes)}/${bits}`;
  const first = bytes.length === 4 ? ipaddr.IPv4.networkAddressFromCIDR(cidr) : ipaddr.IPv6.networkAddressFromCIDR(cidr);
  return `${first.toString()}/${bits}`;
};
const network = fc.tuple(fc.oneof(bytes4, bytes16), fc.nat(128)).map(([bytes, share]) => getNetwork(bytes, share));

test('finds an address in a list of networks exactly if it is in one of them, for any families and lengths', () => {
  const networks = fc.array(network, { minLength: 1, maxLength: 8 }).map((list) => list.filter((one) => !('fault' in parseNetwork(one))));
  fc.assert(
    fc.property(networks, fc.oneof(bytes4, bytes16).map(getText), (list, text) => {
      const address = parseAddress(text);
      assert.ok(address !== null);
      const lies = list.some((one) => {
        const read = parseNetwork(one);
        if ('fault' in read || read.address.kind() !== address.kind()) return false;
        return address.match(read.address as never, read.bits);
      });
      assert.equal(compileCidr(list)(text, run()), lies ? TRUE : FALSE, `${text} in ${list.join(', ')}`);
    }),
    { numRuns: 20_000 },
  );
});

test('includes the first and the last address of a network, and excludes their neighbours', () => {
  const inTen = compileCidr(['10.0.0.0/8', '255.255.255.255/32', '0.0.0.0/32', '2001:db8::/33']);
  for (const text of ['10.0.0.0', '10.255.255.255', '255.255.255.255', '0.0.0.0', '2001:db8::', '2001:db8:7fff:ffff::1', '::ffff:10.1.2.3'])
    assert.equal(inTen(text, run()), TRUE, text);
  for (const text of ['9.255.255.255', '11.0.0.0', '255.255.255.254', '0.0.0.1', '2001:db8:8000::', '2001:db7::', '::a00:1'])
    assert.equal(inTen(text, run()), FALSE, text);
  assert.equal(compileCidr('0.0.0.0/0')('203.0.113.7', run()), TRUE);
  assert.equal(compileCidr('0.0.0.0/0')('2001:db8::1', run()), FALSE);
  assert.equal(compileCidr('::/0')('2001:db8::1', run()), TRUE);
});
