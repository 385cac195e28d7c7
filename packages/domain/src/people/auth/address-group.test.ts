import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getAddressGroup } from './address-group.ts';

test('puts an IPv4 address into a separate group, also in mapped form', () => {
  assert.equal(getAddressGroup('203.0.113.7'), '203.0.113.7');
  assert.equal(getAddressGroup('::ffff:203.0.113.7'), '203.0.113.7');
  assert.notEqual(getAddressGroup('203.0.113.7'), getAddressGroup('203.0.113.8'));
});

test('groups IPv6 addresses by their first 64 bits, in any notation', () => {
  const group = getAddressGroup('2001:db8:0:1::7');
  assert.equal(group, '2001:db8:0:1');
  for (const same of ['2001:db8:0:1:ffff:ffff:ffff:ffff', '2001:0DB8:0000:0001::', '2001:db8::1:0:0:0:9']) {
    assert.equal(getAddressGroup(same), group, same);
  }
  for (const other of ['2001:db8:0:2::7', '2001:db8:1:1::7', '::1']) assert.notEqual(getAddressGroup(other), group, other);
  assert.equal(getAddressGroup('fe80::1%eth0'), getAddressGroup('fe80::2%eth1'));
});

test('puts a connection that ended into a separate group', () => {
  assert.equal(getAddressGroup(undefined), '');
});
