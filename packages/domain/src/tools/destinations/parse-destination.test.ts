import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isDestinationFault, parseDestination } from './parse-destination.ts';

test('reduces a URL to scheme, normalised host and default port', () => {
  assert.deepEqual(parseDestination('https://API.Example.com/v1?q=1#f'), { scheme: 'https', host: 'api.example.com', port: 443 });
  assert.deepEqual(parseDestination('HTTP://api.example.com'), { scheme: 'http', host: 'api.example.com', port: 80 });
  assert.deepEqual(parseDestination('wss://[::1]/x'), { scheme: 'wss', host: '[::1]', port: 443 });
  assert.deepEqual(parseDestination('https://127.1:8443/'), { scheme: 'https', host: '127.0.0.1', port: 8443 });
  assert.deepEqual(parseDestination('https://h?next=https://other/@x'), { scheme: 'https', host: 'h', port: 443 });
});

test('uses port 443 for a bare host and keeps a written port', () => {
  assert.deepEqual(parseDestination('api.example.com'), { host: 'api.example.com', port: 443 });
  assert.deepEqual(parseDestination('localhost:8080'), { host: 'localhost', port: 8080 });
  assert.deepEqual(parseDestination('[::1]:5432'), { host: '[::1]', port: 5432 });
});

test('requires a port for a scheme without a default', () => {
  assert.deepEqual(parseDestination('postgres://db.internal:5432/orders'), { scheme: 'postgres', host: 'db.internal', port: 5432 });
  assert.deepEqual(parseDestination('postgres://db.internal:443/orders'), { scheme: 'postgres', host: 'db.internal', port: 443 });
  assert.match(JSON.stringify(parseDestination('postgres://db.internal/orders')), /must include a port/);
  assert.match(JSON.stringify(parseDestination('constructor://h/')), /must include a port/);
});

const tricks = [
  '',
  'https://',
  'https:///path',
  'https:api.example.com',
  'https:\\\\api.example.com',
  'https://api.example.com\\@evil.example',
  'https://api.example.com@evil.example/',
  'https://user:secret@api.example.com/',
  'https://api.exa\tmple.com',
  'https://api.example.com\r\nHost: evil.example',
  ' https://api.example.com',
  'https://api.example.com/ ',
  'https://api.example.com\u00a0/',
  'https://api.example.com:0/',
  'https://api.example.com:65536/',
  'https://api.example.com:/',
  'https://api.example.com:+443/',
  'https://api.example.com:443:443/',
  'https://ex%61mple.com/',
  'https://[::1',
  'https://::1/',
  '::1',
  'api.example.com/path',
  'api.example.com?x',
  '//api.example.com',
  'mailto:a@b.example',
  `https://${'a'.repeat(9000)}`,
];

test('rejects userinfo, backslashes, control characters, bad ports and partial URLs', () => {
  for (const text of tricks) assert.ok(isDestinationFault(parseDestination(text)), JSON.stringify(text));
  assert.deepEqual(parseDestination('https://user@h/'), { fault: 'must not contain a user name or password' });
});

test('accepts an http URL exactly as the platform would connect', () => {
  fc.assert(
    fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (text) => {
      const parsed = parseDestination(text);
      if (isDestinationFault(parsed)) return;
      const url = new URL(text);
      assert.equal(parsed.host, url.hostname);
      assert.equal(parsed.port, Number(url.port || (url.protocol === 'https:' ? 443 : 80)));
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (noise) => {
      const text = `https://${noise}`;
      const parsed = parseDestination(text);
      if (isDestinationFault(parsed)) return;
      assert.equal(parsed.host, new URL(text).hostname.replace(/\.$/, ''));
    }),
    { numRuns: 2000 },
  );
});
