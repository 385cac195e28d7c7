import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newOpenings } from './openings.ts';

test('from one address so many streams are opened within a minute and no more, told when to come again; others are not counted with it', () => {
  const openingFrom = newOpenings({ opensPerAddressPerMinute: 2 });
  assert.deepEqual([openingFrom('203.0.113.7'), openingFrom('203.0.113.7')], [undefined, undefined]);
  const refused = openingFrom('203.0.113.7');
  assert.equal(refused?.refused, 'RATE_LIMITED');
  const seconds = Number(refused?.details?.retry_after_seconds);
  assert.ok(seconds >= 1 && seconds <= 60);
  assert.equal(openingFrom('203.0.113.8'), undefined);
});

test('an address of version 6 is counted with those beside it, which are the same subscriber’s', () => {
  const openingFrom = newOpenings({ opensPerAddressPerMinute: 1 });
  assert.equal(openingFrom('2001:db8::1'), undefined);
  assert.equal(openingFrom('2001:db8::2')?.refused, 'RATE_LIMITED');
});
