import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileNetworks, readNetworks } from './networks.ts';

test('admits an address by its network, in either family notation', () => {
  const admits = compileNetworks(['203.0.113.0/24', '2001:db8::/32', '::ffff:198.51.100.0/120']);
  for (const inside of ['203.0.113.0', '203.0.113.255', '::ffff:203.0.113.7', '::ffff:cb00:7107', '2001:db8:ffff::1', '198.51.100.9'])
    assert.equal(admits(inside), true, inside);
  for (const outside of [
    '203.0.114.0',
    '::ffff:203.0.112.7',
    '2001:db9::1',
    '::1',
    '',
    'localhost',
    '203.0.113.7.',
    '0313.0.113.7',
    '203.0.113',
  ])
    assert.equal(admits(outside), false, outside);
});

test('admits nothing of the other family by one family as a whole', () => {
  assert.equal(compileNetworks(['0.0.0.0/0'])('2001:db8::1'), false);
  assert.equal(compileNetworks(['::/0'])('203.0.113.7'), false);
  assert.equal(compileNetworks(['0.0.0.0/0'])('::ffff:203.0.113.7'), true);
});

test('keeps networks in canonical form and once each', () => {
  assert.deepEqual(readNetworks(['2001:DB8:0::/32', '2001:db8::/32', '10.0.0.0/8']), ['2001:db8::/32', '10.0.0.0/8']);
});

test('names the first invalid network, with a correction', () => {
  for (const wrong of [
    '10.0.0.1/8',
    '10.0.0.1',
    '10.0.0.0/33',
    '10.0.0/8',
    'example.com/8',
    '::ffff:0:0/95',
    '010.0.0.0/8',
    '10.0.0.0/08',
    '/8',
    ' 10.0.0.0/8',
  ]) {
    const told = readNetworks(['192.0.2.0/24', wrong]);
    assert.ok('fault' in told && told.index === 1 && told.fault.length > 20, wrong);
  }
});

test('admits no one by an invalid stored text', () => {
  assert.equal(compileNetworks(['everywhere'])('203.0.113.7'), false);
});
