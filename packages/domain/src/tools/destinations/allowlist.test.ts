import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AllowlistEntry, isAllowed, parseAllowlistEntry } from './allowlist.ts';
import { isDestinationFault, parseDestination } from './parse-destination.ts';

const entry = (text: string): AllowlistEntry => {
  const parsed = parseAllowlistEntry(text);
  assert.ok(!('fault' in parsed), text);
  return parsed;
};

const allows = (entries: readonly string[], destination: string): boolean => {
  const parsed = parseDestination(destination);
  assert.ok(!isDestinationFault(parsed), destination);
  return isAllowed(entries.map(entry), parsed);
};

test('covers exactly the host of an entry in every notation', () => {
  assert.ok(allows(['api.example.com'], 'https://API.EXAMPLE.COM./v1'));
  assert.ok(allows(['BÜCHER.example.'], 'https://xn--bcher-kva.example/'));
  assert.ok(allows(['127.0.0.1'], 'http://2130706433/'));
  assert.ok(allows(['[0:0::1]'], 'https://[::1]/'));
  assert.ok(!allows(['api.example.com'], 'https://example.com/'));
  assert.ok(!allows(['api.example.com'], 'https://x.api.example.com/'));
  assert.ok(!allows(['api.example.com'], 'https://api.example.com.evil.example/'));
});

test('covers names below the host of a wildcard at any depth, never the host itself or a name with a similar end', () => {
  assert.ok(allows(['*.example.com'], 'https://a.example.com/'));
  assert.ok(allows(['*.example.com'], 'https://a.b.example.com/'));
  assert.ok(!allows(['*.example.com'], 'https://example.com/'));
  assert.ok(!allows(['*.example.com'], 'https://evilexample.com/'));
  assert.ok(!allows(['*.example.com'], 'https://example.com.evil.example/'));
});

test("covers only the default port of the destination's scheme without a port", () => {
  assert.ok(allows(['api.example.com'], 'https://api.example.com/'));
  assert.ok(allows(['api.example.com'], 'http://api.example.com/'));
  assert.ok(allows(['api.example.com'], 'api.example.com'));
  assert.ok(!allows(['api.example.com'], 'https://api.example.com:8443/'));
  assert.ok(!allows(['api.example.com'], 'https://api.example.com:80/'));
  assert.ok(!allows(['api.example.com'], 'http://api.example.com:443/'));
  assert.ok(!allows(['api.example.com'], 'api.example.com:80'));
  assert.ok(!allows(['api.example.com'], 'postgres://api.example.com:5432/'));
});

test('covers only its port with one, for any scheme', () => {
  assert.ok(allows(['db.internal:5432'], 'postgres://db.internal:5432/orders'));
  assert.ok(allows(['*.example.com:8443'], 'https://a.example.com:8443/'));
  assert.ok(allows(['[::1]:8080'], 'http://[::1]:8080/'));
  assert.ok(!allows(['db.internal:5432'], 'https://db.internal/'));
});

test('needs any one entry, and covers nothing with an empty list', () => {
  assert.ok(allows(['a.example.com', 'b.example.com'], 'https://b.example.com/'));
  assert.ok(!allows([], 'https://b.example.com/'));
});

test('rejects entries wider than a registrable name, or that are no host', () => {
  const refused = [
    '',
    '*',
    '*:443',
    '*.',
    '*.com',
    '*.*.com',
    '*.example.*',
    'a*.example.com',
    'api.*.com',
    '**.example.com',
    '*.127.0.0.1',
    '*.[::1]',
    'https://api.example.com',
    'api.example.com/v1',
    'user@api.example.com',
    'api.example.com:0',
    'api.example.com:99999',
    'api.example.com:*',
    '::1',
    'a b',
    '10.0.0.0/8',
  ];
  for (const text of refused) assert.ok('fault' in parseAllowlistEntry(text), JSON.stringify(text));
});
