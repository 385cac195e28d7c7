import { newMemoryRateLimiter } from './memory-rate-limiter.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** Keys that strangers can make have a room of their own: filled to the last, it leaves everybody who is known theirs. */
const newProcessRateLimiter = (): RateLimiter => {
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
