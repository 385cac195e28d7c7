import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normaliseHost } from '@svc/policy/values/normalise-host.ts';
import { isAddress } from './is-address.ts';

const spelled: readonly (readonly [string, string])[] = [
  ['API.Example.COM', 'api.example.com'],
  ['api.example.com.', 'api.example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['BÜCHER.example', 'xn--bcher-kva.example'],
  ['api。example。com', 'api.example.com'],
  ['api.example.com', 'api.example.com'],
  ['exam\u00adple.com', 'example.com'],
  ['127.1', '127.0.0.1'],
  ['0x7f000001', '127.0.0.1'],
  ['0x7f.1', '127.0.0.1'],
  ['0177.0.0.01', '127.0.0.1'],
  ['2130706433', '127.0.0.1'],
  ['127.0.0.1.', '127.0.0.1'],
  ['①②⑦.0.0.1', '127.0.0.1'],
  ['[0:0:0:0:0:0:0:1]', '[::1]'],
  ['[::FFFF:127.0.0.1]', '[::ffff:7f00:1]'],
  ['_dmarc.example.com', '_dmarc.example.com'],
  ['localhost', 'localhost'],
];

test('normalises every notation of a host with the same destination to one', () => {
  for (const [written, expected] of spelled) assert.equal(normaliseHost(written), expected, written);
});

const notHosts = [
  '',
  '.',
  'a..b',
  '.example.com',
  'example.com..',
  '-a.com',
  'a-.com',
  'a b.com',
  'a\tb.com',
  'a\u0000b.com',
  'a\nb.com',
  'a@b.com',
  'a/b',
  'a\\b',
  'a?b',
  'a#b',
  'a:80',
  'a%2eb',
  '%61.com',
  'a!b.com',
  '*',
  '*.com',
  '::1',
  '[::1',
  '[::1]x',
  '[fe80::1%25eth0]',
  '[v1.a]',
  '256.256.256.256',
  '1.2.3.4.5',
  '0x1ffffffff',
  'example.0x7f',
  `${'a'.repeat(64)}.com`,
  `${'a.'.repeat(127)}com`,
];

test('rejects a text that is more or less than one host', () => {
  for (const written of notHosts) assert.equal(normaliseHost(written), null, JSON.stringify(written));
});

test('detects addresses among normalised hosts', () => {
  assert.deepEqual(['127.0.0.1', '[::1]', 'example.com', '1.example.com', 'localhost'].map(isAddress), [true, true, false, false, false]);
});
