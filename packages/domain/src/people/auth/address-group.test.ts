import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressGroup } from './address-group.ts';

test('an IPv4 address is a group of its own, also when it comes written as IPv6', () => {
  assert.equal(addressGroup('203.0.113.7'), '203.0.113.7');
  assert.equal(addressGroup('::ffff:203.0.113.7'), '203.0.113.7');
  assert.notEqual(addressGroup('203.0.113.7'), addressGroup('203.0.113.8'));
});

test('IPv6 addresses are one group when their first 64 bits agree, however they are written', () => {
  const group = addressGroup('2001:db8:0:1::7');
  assert.equal(group, '2001:db8:0:1');
  for (const same of ['2001:db8:0:1:ffff:ffff:ffff:ffff', '2001:0DB8:0000:0001::', '2001:db8::1:0:0:0:9']) {
    assert.equal(addressGroup(same), group, same);
  }
  for (const other of ['2001:db8:0:2::7', '2001:db8:1:1::7', '::1']) assert.notEqual(addressGroup(other), group, other);
  assert.equal(addressGroup('fe80::1%eth0'), addressGroup('fe80::2%eth1'));
});

test('a connection that ended has a group of its own', () => {
  assert.equal(addressGroup(undefined), '');
});
