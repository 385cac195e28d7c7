import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressSpelling, parseAddress } from './address.ts';

test('normalises every notation of an address to one', () => {
  const same: readonly [string, string][] = [
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['64:ff9b::192.0.2.1', '192.0.2.1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['192.0.2.1', '192.0.2.1'],
  ];
  for (const [text, spelling] of same) assert.equal(addressSpelling(text), spelling, text);
});

test('rejects what parsers disagree on', () => {
  for (const text of [
    '',
    '010.0.0.1',
    '0x7f.0.0.1',
    '127.1',
    '2130706433',
    '1.2.3.4/32',
    ' 1.2.3.4',
    '::1.2.3.4',
    '0::1.2.3.4',
    'fe80::1%',
    'localhost',
    '1.2.3.4.',
  ])
    assert.equal(parseAddress(text), null, text);
});

test('returns the same result again, regardless of the texts parsed in between', () => {
  assert.equal(parseAddress('192.0.2.1')?.toString(), '192.0.2.1');
  assert.equal(parseAddress('x'), null);
  assert.equal(parseAddress('x'), null);
  assert.equal(parseAddress('192.0.2.1')?.toString(), '192.0.2.1');
});
