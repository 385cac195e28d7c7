import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newAddressRules } from './address-rules.ts';

const closed = newAddressRules([]);

test('allows public addresses', () => {
  for (const address of [
    '1.1.1.1',
    '93.184.215.14',
    '192.0.1.1',
    '2606:4700:4700::1111',
    '2a00:1450::1',
    '64:ff9b::808:808',
    '::ffff:8.8.8.8',
  ]) {
    assert.equal(closed(address), true, address);
  }
});

const forbidden = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '100.127.255.254',
  '100.100.100.200',
  '127.0.0.1',
  '127.255.255.255',
  '168.63.129.16',
  '169.254.0.1',
  '169.254.169.254',
  '169.254.170.2',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.0.192',
  '192.0.2.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::10.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:a9fe:a9fe',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::808:808',
  '100::1',
  '2001::1',
  '2001:0:7f00:1::',
  '2001:db8::1',
  '2001:10::1',
  '2002:7f00:1::',
  '2002:808:808::1',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fd20:ce::254',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '4000::1',
  '',
  'localhost',
  '1.1.1.1/8',
];

test('rejects private, reserved, wrapped and malformed addresses', () => {
  for (const address of forbidden) assert.equal(closed(address), false, address);
});

test('allows exactly an allowed network, also with wrapped addresses', () => {
  const rules = newAddressRules(['10.1.0.0/16', '::1/128', 'fd00::/8']);
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '64:ff9b::a01:203', '::1', 'fd12::1']) assert.equal(rules(address), true, address);
  for (const address of ['10.2.0.1', '127.0.0.1', '::ffff:127.0.0.1', '::2', 'fe80::1']) assert.equal(rules(address), false, address);
});

test('allows the metadata services only when named, not by a wide network', () => {
  const wide = newAddressRules(['0.0.0.0/0', '::/0']);
  assert.equal(wide('169.254.1.1'), true);
  for (const address of ['169.254.169.254', '::ffff:169.254.169.254', '168.63.129.16', '100.100.100.200', 'fd00:ec2::254']) {
    assert.equal(wide(address), false, address);
  }
  const named = newAddressRules(['169.254.169.254/32', 'fd00:ec2::254/128']);
  assert.equal(named('169.254.169.254'), true);
  assert.equal(named('fd00:ec2::254'), true);
  assert.equal(named('169.254.170.2'), false);
});

test('names an invalid network when the rules are created', () => {
  for (const cidr of ['10.0.0.0', '10.0.0.0/33', 'localhost/8', '', '::/129']) {
    assert.throws(() => newAddressRules([cidr]), /is not a network/, cidr);
  }
});
