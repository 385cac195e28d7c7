import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newServiceClock } from './service-clock.ts';

test('each correction counts from the current local clock, and an invalid time corrects nothing', () => {
  let local = 1_000_000;
  const clock = newServiceClock(() => local);
  assert.equal(clock.nowMs(), 1_000_000);
  assert.ok(clock.correct(new Date(5_000_000).toISOString()));
  assert.equal(clock.nowMs(), 5_000_000);
  local = 5_000_100;
  assert.ok(clock.correct(new Date(5_000_100).toISOString()));
  local += 50;
  assert.equal(clock.nowMs(), 5_000_150);
  for (const told of [undefined, null, 5, '', 'noon', {}]) assert.equal(clock.correct(told), false);
  assert.equal(clock.nowMs(), 5_000_150);
});
