import { newMemoryRateLimiter } from './memory-rate-limiter.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** Counts in this process alone. Keys that unauthenticated clients can make have a table of their own: filled, it leaves other keys theirs. */
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

/** Shared by all processes when there is a Redis, otherwise of this process alone, which then does not even load Redis's client. */
export const newRateLimiter = async (redisUrl: string | undefined): Promise<RateLimiter> => {
  if (redisUrl === undefined || redisUrl === '') return newProcessRateLimiter();
  const { newRedisRateLimiter } = await import('./redis-rate-limiter.ts');
  return newRedisRateLimiter(redisUrl);
};
