import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAdmittedFrom, networksFault } from './networks.ts';

const cases: readonly (readonly [networks: readonly string[], address: string, admitted: boolean])[] = [
  [[], '203.0.113.9', true],
  [[], 'nowhere', true],
  [['10.0.0.0/8'], '10.1.2.3', true],
  [['10.0.0.0/8'], '::ffff:10.1.2.3', true],
  [['10.0.0.0/8'], '::ffff:a01:203', true],
  [['::ffff:10.0.0.0/104'], '10.1.2.3', true],
  [['10.0.0.0/8'], '11.0.0.1', false],
  [['10.0.0.0/8'], '::a01:203', false],
  [['10.0.0.0/8', '2001:db8::/32'], '2001:db8:1::1', true],
  [['10.0.0.0/8', '2001:db8::/32'], '2001:db9::1', false],
  [['fe80::/10'], 'fe80::1%eth0', true],
  [['0.0.0.0/0'], '2001:db8::1', false],
  [['::/0'], '10.0.0.1', false],
  [['192.0.2.7/32'], '192.0.2.7', true],
  [['192.0.2.7/32'], '192.0.2.8', false],
  [['10.0.0.0/8'], '012.0.0.1', false],
  [['10.0.0.0/8'], '10.1', false],
  [['10.0.0.0/8'], '0x0a000001', false],
  [['10.0.0.0/8'], '10.0.0.1, 203.0.113.9', false],
  [['10.0.0.0/8'], '', false],
  [['nonsense'], '10.0.0.1', false],
  [['nonsense', '10.0.0.0/8'], '10.0.0.1', true],
];

for (const [networks, address, admitted] of cases)
  test(`${address || 'no address'} is ${admitted ? '' : 'not '}admitted from ${networks.join(' and ') || 'anywhere'}`, () => {
    assert.equal(isAdmittedFrom(networks, address), admitted);
    assert.equal(isAdmittedFrom(networks, address), admitted, 'the same when asked again');
  });

test('what is no network is told at its place, with what would be right', () => {
  assert.equal(networksFault(['10.0.0.0/8', '2001:db8::/32', '192.0.2.7/32']), undefined);
  assert.deepEqual(
    [
      ['10.0.0.0/8', 'office'],
      ['10.1.2.3/8'],
      ['10.0.0.0'],
      ['10.0.0.0/33'],
      ['0/8'],
      ['010.0.0.0/8'],
      ['10.0.0.0/08'],
      ['::/0 '],
      [''],
    ].map((networks) => networksFault(networks)?.index),
    [1, 0, 0, 0, 0, 0, 0, 0, 0],
  );
  assert.match(networksFault(['10.1.2.3/8'])?.fault ?? '', /10\.0\.0\.0\/8/);
  assert.match(networksFault(['192.0.2.7'])?.fault ?? '', /192\.0\.2\.7\/32/);
});
