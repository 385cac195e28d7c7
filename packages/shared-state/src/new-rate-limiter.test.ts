import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newRateLimiter } from './new-rate-limiter.ts';
import type { RateLimitState } from './rate-limiter.ts';

const limiter = await newRateLimiter(undefined);
after(() => limiter.close());

/** More than the maximum number of live windows. */
const KEYS = 100_100;

test('keeps the budget of an authenticated client, however many budgets unauthenticated clients open', () => {
  const stranger = (key: string) => limiter.take({ key, limit: 1, unproven: true }, 60_000) as RateLimitState;
  for (let n = 0; n < KEYS; n += 1) stranger(`login:${n}`);
  assert.equal(stranger('login:one more').allowed, false, 'no live count is given up for another');
  assert.equal((limiter.take({ key: 'agent:agt_1', limit: 1 }, 60_000) as RateLimitState).allowed, true);
  const whole = { key: 'agents-of:org_1', limit: 1 };
  assert.equal((limiter.take({ key: 'agent:agt_2', limit: 1 }, 60_000, whole) as RateLimitState).allowed, true);
});
