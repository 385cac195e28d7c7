import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RateLimiter, RateLimitState } from './rate-limiter.ts';

const WINDOW_MS = 300;
const LONG_MS = 60_000;

let keys = 0;
const newKey = (): string => {
  keys += 1;
  return `conformance:${process.pid}:${keys}`;
};

const takeTimes = async (limiter: RateLimiter, times: number, key: string, limit: number, windowMs: number): Promise<RateLimitState[]> => {
  const budgets: RateLimitState[] = [];
  for (let each = 0; each < times; each += 1) budgets.push(await limiter.take({ key, limit }, windowMs));
  return budgets;
};

const countsWithin = (name: string, limiterOf: () => RateLimiter): void => {
  test(`${name}: allows as many uses as the limit, rejects the next, and reports the remaining uses`, async () => {
    const budgets = await takeTimes(limiterOf(), 5, newKey(), 3, LONG_MS);
    assert.deepEqual(
      budgets.map(({ allowed, remaining, limit }) => [allowed, remaining, limit]),
      [
        [true, 2, 3],
        [true, 1, 3],
        [true, 0, 3],
        [false, 0, 3],
        [false, 0, 3],
      ],
    );
  });

  test(`${name}: allows exactly the limit of concurrent uses`, async () => {
    const key = newKey();
    const budgets = await Promise.all(Array.from({ length: 64 }, () => limiterOf().take({ key, limit: 17 }, LONG_MS)));
    assert.equal(budgets.filter(({ allowed }) => allowed).length, 17);
    assert.deepEqual(new Set(budgets.filter(({ allowed }) => allowed).map(({ remaining }) => remaining)).size, 17);
  });

  test(`${name}: counts a request for several uses in both budgets`, async () => {
    const [own, whole] = [newKey(), newKey()];
    const take = (uses: number) => limiterOf().take({ key: own, limit: 10, uses }, LONG_MS, { key: whole, limit: 100, uses: 2 * uses });
    const budgets = [await take(4), await take(6), await take(1)];
    assert.deepEqual(
      budgets.map(({ allowed, remaining }) => [allowed, remaining]),
      [
        [true, 6],
        [true, 0],
        [false, 0],
      ],
    );
    assert.equal((await limiterOf().take({ key: whole, limit: 100 }, LONG_MS)).remaining, 79);
  });

  test(`${name}: rejects all requests under a limit of zero or an invalid limit`, async () => {
    assert.equal((await limiterOf().take({ key: newKey(), limit: 0 }, LONG_MS)).allowed, false);
    assert.equal((await limiterOf().take({ key: newKey(), limit: Number.NaN }, LONG_MS)).allowed, false);
  });
};

const leavesWhatItRefuses = (name: string, limiterOf: () => RateLimiter): void => {
  test(`${name}: rejects a request for more than the remaining uses and keeps them for a smaller one`, async () => {
    const key = newKey();
    const take = (uses: number) => limiterOf().take({ key, limit: 10, uses }, LONG_MS);
    const asked = [6, 5, 11, 2 ** 40, 4, 1];
    const allowed: boolean[] = [];
    for (const uses of asked) allowed.push((await take(uses)).allowed);
    assert.deepEqual(allowed, [true, false, false, false, true, false]);
  });
};

const keepsApart = (name: string, limiterOf: () => RateLimiter): void => {
  test(`${name}: counts similar keys apart`, async () => {
    const key = newKey();
    for (const each of [key, `${key} `, `${key}:`, `${key}\u0000`, key.toUpperCase(), `${key}{a}`, `${key}\r\nFLUSHALL\r\n`, `é${key}`]) {
      assert.deepEqual(
        (await takeTimes(limiterOf(), 2, each, 1, LONG_MS)).map(({ allowed }) => allowed),
        [true, false],
        JSON.stringify(each),
      );
    }
  });

  test(`${name}: counts windows of different lengths of one key apart`, async () => {
    const key = newKey();
    assert.deepEqual(
      (await takeTimes(limiterOf(), 2, key, 1, LONG_MS)).map(({ allowed }) => allowed),
      [true, false],
    );
    assert.equal((await limiterOf().take({ key, limit: 1 }, LONG_MS * 2)).allowed, true);
  });

  test(`${name}: counts a key that is too long with all keys of its prefix, and never admits it uncounted`, async () => {
    const long = `${newKey()}:${'x'.repeat(100_000)}`;
    assert.equal((await limiterOf().take({ key: `${long}a`, limit: 1 }, LONG_MS)).allowed, true);
    assert.equal((await limiterOf().take({ key: `${long}b`, limit: 1 }, LONG_MS)).allowed, false);
  });
};

const endsWindows = (name: string, limiterOf: () => RateLimiter): void => {
  test(`${name}: restores the whole budget of a key after its window`, async () => {
    const key = newKey();
    await takeTimes(limiterOf(), 3, key, 2, WINDOW_MS);
    await sleep(WINDOW_MS + 50);
    const again = await limiterOf().take({ key, limit: 2 }, WINDOW_MS);
    assert.deepEqual([again.allowed, again.remaining], [true, 1]);
  });

  test(`${name}: does not extend the window for a refused use`, async () => {
    const key = newKey();
    const until = performance.now() + WINDOW_MS + 50;
    await limiterOf().take({ key, limit: 1 }, WINDOW_MS);
    while (performance.now() < until) {
      await limiterOf().take({ key, limit: 0 }, WINDOW_MS);
      await sleep(20);
    }
    assert.equal((await limiterOf().take({ key, limit: 5 }, WINDOW_MS)).allowed, true);
  });

  test(`${name}: reports the wait in whole seconds, rounded up, at least one`, async () => {
    assert.equal((await limiterOf().take({ key: newKey(), limit: 1 }, WINDOW_MS)).resetSeconds, 1);
    const { resetSeconds } = await limiterOf().take({ key: newKey(), limit: 1 }, LONG_MS);
    assert.equal(resetSeconds, 60);
  });
};

/** The conformance tests of every rate limiter, with any store. `limiterOf` is called while a test runs, not before. */
export const rateLimiterConformance = (name: string, limiterOf: () => RateLimiter): void => {
  countsWithin(name, limiterOf);
  leavesWhatItRefuses(name, limiterOf);
  keepsApart(name, limiterOf);
  endsWindows(name, limiterOf);
};
