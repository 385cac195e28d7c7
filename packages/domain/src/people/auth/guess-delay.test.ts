import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guessDelayMs } from './guess-delay.ts';

test('begins a delay after the free failures, grows it with each one and bounds it', () => {
  assert.deepEqual([guessDelayMs(-3), guessDelayMs(0)], [0, 0]);
  const delays = Array.from({ length: 90 }, (_, n) => guessDelayMs(n + 1));
  assert.ok(delays.every((delay, n) => delay >= (delays[n - 1] ?? 1)));
  assert.ok((delays[0] ?? 0) >= 100 && (delays[0] ?? 0) < 500);
  assert.equal(delays.at(-1), 5_000);
  assert.equal(guessDelayMs(1e9), 5_000);
});
