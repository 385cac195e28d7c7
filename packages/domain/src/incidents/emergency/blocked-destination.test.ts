import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readEntries } from '../../tools/destinations/destinations-within.ts';
import {
  type BlockPattern,
  type DestinationBlock,
  findAddressBlock,
  findHostBlock,
  inForce,
  overlapsEntry,
  parseBlockPattern,
} from './blocked-destination.ts';

const pattern = (text: string): BlockPattern => {
  const read = parseBlockPattern(text);
  assert.ok(!('fault' in read), text);
  return read;
};
const block = (text: string, expires_at: string | null = null): DestinationBlock => ({ id: text, pattern: pattern(text), expires_at });

test('has one canonical form for a pattern', () => {
  for (const [written, text] of [
    ['API.Example.com.', 'api.example.com'],
    ['*.Example.com:8443', '*.example.com:8443'],
    ['0x7f000001', '127.0.0.1/32'],
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['[10.0.0.0/8]:443', '[10.0.0.0/8]:443'],
    ['[::1]:80', '[::1/128]:80'],
    ['2001:db8::1', '2001:db8::1/128'],
  ] as const)
    assert.equal(pattern(written).text, text);
});

test('rejects what is no destination', () => {
  for (const text of ['', '*', '*.com', 'a b', 'https://x.example', '10.0.0.1/8', 'x:0', '10.0.0.0/33', 'api.example.com/v1', '/8'])
    assert.ok('fault' in parseBlockPattern(text), text);
});

test('covers a host on every port, and by a wildcard the names below it', () => {
  assert.ok(findHostBlock([block('api.example.com')], 'api.example.com', 8443));
  assert.ok(!findHostBlock([block('api.example.com:443')], 'api.example.com', 8443));
  assert.ok(findHostBlock([block('*.example.com')], 'a.b.example.com', 443));
  assert.ok(!findHostBlock([block('*.example.com')], 'example.com', 443));
  assert.ok(!findHostBlock([block('*.example.com')], 'evilexample.com', 443));
});

test('covers literal addresses of a network and addresses that a name resolves to', () => {
  const blocks = [block('10.0.0.0/8'), block('[::1]')];
  assert.ok(findHostBlock(blocks, '10.1.2.3', 443));
  assert.ok(findHostBlock(blocks, '[::1]', 443));
  assert.ok(findAddressBlock(blocks, ['192.0.2.1', '::ffff:10.0.0.1'], 443));
  assert.ok(!findAddressBlock(blocks, ['192.0.2.1'], 443));
});

test('ends a block at its time', () => {
  const now = new Date('2026-01-01T00:00:00.000Z');
  assert.equal(inForce([block('a.example', now.toISOString())], now).length, 0);
  assert.equal(inForce([block('a.example', '2026-01-01T00:00:00.001Z'), block('b.example')], now).length, 2);
});

test('matches allowlist entries that overlap a pattern', () => {
  const reaches = (text: string, entry: string) => readEntries([entry]).some((one) => overlapsEntry(pattern(text), one));
  assert.ok(reaches('api.example.com', '*.example.com'));
  assert.ok(reaches('*.example.com', 'api.example.com'));
  assert.ok(reaches('*.eu.example.com', '*.example.com'));
  assert.ok(reaches('10.0.0.0/8', '10.1.1.1:8443'));
  assert.ok(!reaches('api.example.com', 'api.example.org'));
  assert.ok(!reaches('api.example.com:443', 'api.example.com:8443'));
});
