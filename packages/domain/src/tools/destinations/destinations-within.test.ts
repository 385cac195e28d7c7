import assert from 'node:assert/strict';
import { test } from 'node:test';
import { destinationsWithin } from './destinations-within.ts';

const within = (inner: string, outer: string): boolean => destinationsWithin([inner], [outer]);

test('a host lies within itself however it is written, and within the wildcard of any domain above it', () => {
  assert.equal(within('API.Example.com.', 'api.example.com'), true);
  assert.equal(within('api.example.com', '*.example.com'), true);
  assert.equal(within('*.eu.example.com', '*.example.com'), true);
  assert.equal(within('*.example.com', '*.example.com'), true);
});

test('a wildcard holds neither its own domain nor one that only ends alike, and lies within no host', () => {
  assert.equal(within('example.com', '*.example.com'), false);
  assert.equal(within('evilexample.com', '*.example.com'), false);
  assert.equal(within('*.example.com', 'api.example.com'), false);
  assert.equal(within('*.example.com', '*.eu.example.com'), false);
});

test('an entry with a port lies within one with that port and no other', () => {
  assert.equal(within('api.example.com:8443', '*.example.com:8443'), true);
  assert.equal(within('api.example.com:8443', '*.example.com'), false);
  assert.equal(within('api.example.com', '*.example.com:443'), false);
  // Without a port http on 80 is meant too, with one any scheme on that port.
  assert.equal(within('api.example.com:443', 'api.example.com'), false);
});

test('each entry lies within some entry; what cannot be read lies within nothing and holds nothing', () => {
  assert.equal(destinationsWithin(['a.example.com', 'b.test'], ['*.example.com', 'b.test']), true);
  assert.equal(destinationsWithin(['a.example.com', 'c.test'], ['*.example.com', 'b.test']), false);
  assert.equal(destinationsWithin([], []), true);
  assert.equal(within('*', '*'), false);
  assert.equal(within('a.com', '*.com'), false);
});
