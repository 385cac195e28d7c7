import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getMsUntilNextBeat, quantizeResponseTime } from './on-the-beat.ts';

test('work of different duration ends at the same time', () => {
  for (const workMs of [0, 0.2, 3, 12, 24.9]) assert.equal(workMs + getMsUntilNextBeat(workMs), 25);
  for (const workMs of [25, 31, 49]) assert.equal(workMs + getMsUntilNextBeat(workMs), 50);
});

test('a response waits for its fixed time, unchanged', async () => {
  const startedAt = performance.now();
  assert.equal(await quantizeResponseTime(startedAt, 'answer'), 'answer');
  // A timer uses the event loop's own clock, which may be some milliseconds behind.
  assert.ok(performance.now() - startedAt > 10);
});
