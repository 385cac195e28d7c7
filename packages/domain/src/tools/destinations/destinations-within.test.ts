import assert from 'node:assert/strict';
import { test } from 'node:test';
import { destinationsWithin } from './destinations-within.ts';

const within = (inner: string, outer: string): boolean => destinationsWithin([inner], [outer]);

test('contains a host in any notation, and within the wildcard of any domain above it', () => {
  assert.equal(within('API.Example.com.', 'api.example.com'), true);
  assert.equal(within('api.example.com', '*.example.com'), true);
  assert.equal(within('*.eu.example.com', '*.example.com'), true);
  assert.equal(within('*.example.com', '*.example.com'), true);
});

test('a wildcard does not contain its own domain or a similar suffix, and is within no host', () => {
  assert.equal(within('example.com', '*.example.com'), false);
  assert.equal(within('evilexample.com', '*.example.com'), false);
  assert.equal(within('*.example.com', 'api.example.com'), false);
  assert.equal(within('*.example.com', '*.eu.example.com'), false);
});

test('contains an entry with a port in one with that port only', () => {
  assert.equal(within('api.example.com:8443', '*.example.com:8443'), true);
  assert.equal(within('api.example.com:8443', '*.example.com'), false);
  assert.equal(within('api.example.com', '*.example.com:443'), false);
  // Without a port http on 80 is meant too, with one any scheme on that port.
  assert.equal(within('api.example.com:443', 'api.example.com'), false);
});

test('requires each entry to be within some entry; an unreadable one contains nothing', () => {
  assert.equal(destinationsWithin(['a.example.com', 'b.test'], ['*.example.com', 'b.test']), true);
  assert.equal(destinationsWithin(['a.example.com', 'c.test'], ['*.example.com', 'b.test']), false);
  assert.equal(destinationsWithin([], []), true);
  assert.equal(within('*', '*'), false);
  assert.equal(within('a.com', '*.com'), false);
});
