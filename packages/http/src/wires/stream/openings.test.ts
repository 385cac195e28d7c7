import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newOpenings } from './openings.ts';

test('streams opened from one address per minute are limited, with when to retry; others are not counted with it', () => {
  const openingFrom = newOpenings({ opensPerAddressPerMinute: 2 });
  assert.deepEqual([openingFrom('203.0.113.7'), openingFrom('203.0.113.7')], [undefined, undefined]);
  const refused = openingFrom('203.0.113.7');
  assert.equal(refused?.refused, 'RATE_LIMITED');
  const seconds = Number(refused?.details?.retry_after_seconds);
  assert.ok(seconds >= 1 && seconds <= 60);
  assert.equal(openingFrom('203.0.113.8'), undefined);
});

test('an IPv6 address is counted with its network, which belongs to one subscriber', () => {
  const openingFrom = newOpenings({ opensPerAddressPerMinute: 1 });
  assert.equal(openingFrom('2001:db8::1'), undefined);
  assert.equal(openingFrom('2001:db8::2')?.refused, 'RATE_LIMITED');
});
