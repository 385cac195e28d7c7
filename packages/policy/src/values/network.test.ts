import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { newRun } from '../evaluation/node.ts';
import { TRUE } from '../evaluation/outcome.ts';
import { compileCidr } from '../tests/cidr.ts';
import { parseAddress } from './address.ts';
import { parseNetwork } from './network.ts';

const contains = (network: string, address: string): boolean => {
  const parsed = parseNetwork(network);
  const found = parseAddress(address);
  assert.ok(!('fault' in parsed) && found !== null, `${network} ${address}`);
  return compileCidr(network)(address, newRun(Number.POSITIVE_INFINITY)) === TRUE;
};

test('contains its own addresses and no others, in any notation', () => {
  assert.equal(contains('10.0.0.0/8', '10.255.255.255'), true);
  assert.equal(contains('10.0.0.0/8', '11.0.0.0'), false);
  assert.equal(contains('10.0.0.0/8', '::ffff:10.1.2.3'), true);
  assert.equal(contains('::ffff:10.0.0.0/104', '10.1.2.3'), true);
  assert.equal(contains('2001:db8::/32', '2001:DB8:FFFF::1'), true);
  assert.equal(contains('2001:db8::/32', '2001:db9::1'), false);
  assert.equal(contains('0.0.0.0/0', '203.0.113.7'), true);
  assert.equal(contains('::1/128', '0:0:0:0:0:0:0:1'), true);
});

test('separates all of IPv6 from IPv4, in both directions', () => {
  assert.equal(contains('::/0', '192.0.2.1'), false);
  assert.equal(contains('::/0', '::ffff:192.0.2.1'), false);
  assert.equal(contains('0.0.0.0/0', '2001:db8::1'), false);
});

test('contains the IPv4 addresses whose first bits agree', () => {
  const dotted = (value: number): string => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
  const number = fc.integer({ min: 0, max: 0xffff_ffff });
  fc.assert(
    fc.property(number, number, fc.integer({ min: 0, max: 32 }), (base, other, bits) => {
      const mask = bits === 0 ? 0 : (0xffff_ffff << (32 - bits)) >>> 0;
      const first = (base & mask) >>> 0;
      assert.equal(contains(`${dotted(first)}/${bits}`, dotted(other)), (other & mask) >>> 0 === first);
      assert.equal(contains(`${dotted(first)}/${bits}`, dotted((first | (other & ~mask)) >>> 0)), true);
      assert.equal('fault' in parseNetwork(`${dotted(base)}/${bits}`), base !== first);
    }),
  );
});

test('reads networks faster than the library finds their first addresses', () => {
  const texts = Array.from({ length: 4_000 }, (_, n) => `10.${n >> 8}.${n & 255}.0/24`);
  const computeTime = (read: (text: string) => unknown): number => {
    const start = performance.now();
    for (const text of texts) read(text);
    return performance.now() - start;
  };
  // Alternating, and the best of each: some rounds are undisturbed by other load.
  const rounds = Array.from(
    { length: 40 },
    () => [computeTime(parseNetwork), computeTime((text) => ipaddr.IPv4.networkAddressFromCIDR(text))] as const,
  );
  const ours = Math.min(...rounds.map(([time]) => time));
  const theirs = Math.min(...rounds.map(([, time]) => time));
  assert.ok(ours < theirs * 0.7, `${ours} ms, and ${theirs} ms of the library`);
});
