import { newMemoryRateLimiter } from './memory-rate-limiter.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { newRedisRateLimiter } from './redis-rate-limiter.ts';

/** Shared by all processes when there is a Redis, otherwise of this process alone. */
export const newRateLimiter = (redisUrl: string | undefined): RateLimiter =>
  redisUrl === undefined || redisUrl === '' ? newMemoryRateLimiter() : newRedisRateLimiter(redisUrl);
