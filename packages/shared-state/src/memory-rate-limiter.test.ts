import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { newMemoryRateLimiter } from './memory-rate-limiter.ts';
import { rateLimiterConformance } from './rate-limiter-conformance.fixture.ts';

const limiter = newMemoryRateLimiter();
rateLimiterConformance('memory', () => limiter);

test('answers a use synchronously, without a promise', () => {
  assert.equal(newMemoryRateLimiter().take({ key: 'key', limit: 1 }, 1_000).allowed, true);
});

test('refuses a new key when the maximum of live windows is reached, and evicts none of them', () => {
  let now = 0;
  const full = newMemoryRateLimiter(() => now, 3);
  for (const key of ['a', 'b', 'c']) full.take({ key, limit: 1 }, 10_000);
  assert.deepEqual(full.take({ key: 'd', limit: 1 }, 10_000), { allowed: false, limit: 1, remaining: 0, resetSeconds: 10 });
  assert.equal(full.take({ key: 'a', limit: 1 }, 10_000).allowed, false);
  now = 2_500;
  assert.equal(full.take({ key: 'e', limit: 1 }, 60_000).resetSeconds, 8);
  assert.equal(full.take({ key: 'b', limit: 2 }, 10_000).allowed, true);
  now = 10_000;
  assert.equal(full.take({ key: 'd', limit: 1 }, 10_000).allowed, true);
});

test('frees expired windows of any length', () => {
  let now = 0;
  const full = newMemoryRateLimiter(() => now, 4);
  for (const [key, windowMs] of [
    ['a', 60_000],
    ['b', 1_000],
    ['c', 1_000],
    ['d', 2_000],
  ] as const) {
    full.take({ key, limit: 1 }, windowMs);
  }
  now = 2_000;
  assert.deepEqual(
    ['e', 'f', 'g', 'h'].map((key) => full.take({ key, limit: 1 }, 60_000).allowed),
    [true, true, true, false],
  );
  assert.equal(full.take({ key: 'a', limit: 1 }, 60_000).allowed, false);
});

test('keeps one window for a key that returns after its window ended', () => {
  let now = 0;
  const small = newMemoryRateLimiter(() => now, 8);
  const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  for (let round = 0; round < 10; round += 1) {
    keys.reverse();
    for (const key of keys) assert.equal(small.take({ key, limit: 1 }, 1_000).allowed, true, `${key} in round ${round}`);
    for (const key of keys) assert.equal(small.take({ key, limit: 1 }, 1_000).allowed, false);
    assert.equal(small.take({ key: 'one too many', limit: 1 }, 1_000).allowed, false);
    now += 1_000;
  }
});

test('keeps 100,000 windows with keys of any length below 64 MiB', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const measure = (): number => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = measure();
  const big = newMemoryRateLimiter();
  let allowed = 0;
  for (let each = 0; each < 110_000; each += 1) {
    if (big.take({ key: `sign-in:${each}:${'x'.repeat(8_000)}`, limit: 1 }, 3_600_000).allowed) allowed += 1;
  }
  const grown = (measure() - before) / 2 ** 20;
  assert.equal(allowed, 100_000);
  assert.ok(grown < 64, `${grown.toFixed(1)} MiB`);
});
