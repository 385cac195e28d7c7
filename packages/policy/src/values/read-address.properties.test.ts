import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { newWords, readAddress } from './read-address.ts';

const translated = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
const TWO_MEANINGS = /^[0:]+:\d+\.\d+\.\d+\.\d+$/;
const LIKE_AN_ADDRESS = /^[0-9A-Fa-f:.]{2,}(%[0-9A-Za-z]+)?$/;

/** Returns the bytes by a slow library, for texts that may be an address here. */
const bytesByLibrary = (text: string): readonly number[] | null => {
  if (!LIKE_AN_ADDRESS.test(text)) return null;
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text).toByteArray();
  if (!ipaddr.IPv6.isValid(text) || TWO_MEANINGS.test(text)) return null;
  const address = ipaddr.IPv6.parse(text.split('%', 1)[0] ?? '');
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toByteArray();
  return address.match(translated) ? address.toByteArray().slice(12) : address.toByteArray();
};

const bytesHere = (text: string): readonly number[] | null => {
  const words = newWords().fill(7);
  const family = readAddress(text, words);
  const bytes = [...words].flatMap((word) => [word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255]);
  return family === 0 ? null : family === 4 ? bytes.slice(12) : bytes;
};

const group = fc.constantFrom('', '0', '1', 'a', 'F', 'ff', 'ffff', 'FFFF', '64', 'ff9b', '0001', '00001', '12345', 'g', '10');
const part = fc.constantFrom('0', '1', '10', '255', '256', '010', '00', '1e', '', '99999999999');
const four = fc.array(part, { minLength: 3, maxLength: 5 }).map((parts) => parts.join('.'));
const zone = fc.constantFrom('', '', '', '%', '%a', '%eth0', '%a-b', '%é', '%a%b', '%ſ');
const end = fc.constantFrom('', ':', '::', '.', ' ', '\n', 'x');
const six = fc
  .tuple(fc.array(group, { maxLength: 10 }), fc.oneof(fc.constant(''), four))
  .map(([groups, last]) => [...groups, last].join(':'));
const squeezed = fc
  .tuple(
    fc.constantFrom('::', '::ffff:', '64:ff9b::', '0:0:0:0:0:ffff:', '1::', '0::', '::0:', '1:2:3:4:5:6:', '1:2:3:4:5:6:7:'),
    fc.oneof(four, group, six),
  )
  .map(([head, tail]) => head + tail);
const looksLike = fc.tuple(fc.oneof(four, six, squeezed), end, zone, end).map((parts) => parts.join(''));
const letters = fc.string({ unit: fc.constantFrom('0', '1', 'f', 'F', ':', '::', '.', '%', 'ffff'), maxLength: 24 });

test('reads an address like the library, and nothing else', () => {
  let found = 0;
  fc.assert(
    fc.property(fc.oneof(looksLike, letters, fc.ipV4(), fc.ipV6(), fc.string()), (text) => {
      const expected = bytesByLibrary(text);
      assert.deepEqual(bytesHere(text), expected, JSON.stringify(text));
      if (expected !== null) found += 1;
    }),
    { numRuns: 60_000 },
  );
  assert.ok(found > 10_000, `${found} texts were addresses`);
});

test('reads mapped addresses as those they reach, and rejects ambiguous ones', () => {
  for (const text of [
    '::ffff:10.0.0.1',
    '::FFFF:A00:1',
    '64:ff9b::a00:1',
    '64:ff9b::10.0.0.1',
    '::ffff:10.0.0.1%eth0',
    `::ffff:a00:1%${'z'.repeat(9000)}`,
  ])
    assert.deepEqual(bytesHere(text), [10, 0, 0, 1], text);
  for (const text of [
    '::10.0.0.1',
    '0:0:0:0:0:0:10.0.0.1',
    '010.0.0.1',
    '10.1',
    '0x0a000001',
    '[::1]',
    '1:::2',
    '',
    '%',
    ':',
    '::1%',
    '10.0.0.1%a',
  ])
    assert.equal(bytesHere(text), null, text);
});
