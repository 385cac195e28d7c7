import { newMemoryRateLimiter } from './memory-rate-limiter.ts';
import type { RateLimiter } from './rate-limiter.ts';

/**
 * Counts in this process only. Keys that unauthenticated clients can create have a table of their own: when it is full, other keys still
 * have theirs.
 */
export const newProcessRateLimiter = (): RateLimiter => {
  const known = newMemoryRateLimiter();
  const strangers = newMemoryRateLimiter();
  return {
    take: (own, windowMs, whole) => (own.unproven ? strangers : known).take(own, windowMs, whole),
    close: async () => {
      await Promise.all([known.close(), strangers.close()]);
    },
  };
};

/** Shared by all processes if Redis is configured, else local to this process, which then does not load the Redis client. */
export const newRateLimiter = async (redisUrl: string | undefined): Promise<RateLimiter> => {
  if (redisUrl === undefined || redisUrl === '') return newProcessRateLimiter();
  const { newRedisRateLimiter } = await import('./redis-rate-limiter.ts');
  return newRedisRateLimiter(redisUrl);
};
