import { WIRE_NAME } from '@svc/contract/wire-name.ts';
import { Redis, ReplyError } from 'ioredis';
import { boundKey } from './bound-key.ts';
import { budgetOf } from './budget-of.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { RateLimiterUnavailableError } from './rate-limiter-unavailable-error.ts';

/** How long a use may wait for its answer, connecting included. */
const ANSWER_WITHIN_MS = 500;

/** A connection that has been asked and says nothing for this long is dead: it is dropped and made anew. */
const SILENT_SOCKET_MS = 1_000;

const RECONNECT_AFTER_MS_MAX = 1_000;

/** Counts one use and answers the count and what is left of the window. A key that lost its expiry gets one, so that no window lasts for ever. */
const TAKE_ONE = `
local used = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return { used, left }`;

const isPair = (answer: unknown): answer is [number, number] =>
  Array.isArray(answer) && answer.length === 2 && answer.every(Number.isSafeInteger);

/** An error of the client may hold the command it was about, and a connection's first command holds the password: only words are kept. */
const unavailable = (error: unknown): RateLimiterUnavailableError => {
  const { code, message } = error as { readonly code?: unknown; readonly message: string };
  if (error instanceof ReplyError) return new RateLimiterUnavailableError('it answered an error', message.split(' ', 1)[0] ?? '');
  if (typeof code === 'string') return new RateLimiterUnavailableError('it cannot be reached', code);
  return new RateLimiterUnavailableError('it cannot be reached or did not answer in time', 'ETIMEDOUT');
};

const connect = (url: string): Redis => {
  if (!/^rediss?:\/\//.test(url)) throw new Error('The address of Redis must begin with redis:// or rediss://.');
  const redis = new Redis(url, {
    connectionName: `${WIRE_NAME}-rate-limiter`,
    connectTimeout: ANSWER_WITHIN_MS,
    commandTimeout: ANSWER_WITHIN_MS,
    socketTimeout: SILENT_SOCKET_MS,
    maxRetriesPerRequest: 0,
    // A use that may have been counted is never counted again behind the caller's back.
    autoResendUnfulfilledCommands: false,
    retryStrategy: (times) => Math.min(25 * 2 ** Math.min(times, 10), RECONNECT_AFTER_MS_MAX),
    // After a failover the old primary still listens and refuses to write.
    reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
  });
  // Each use that meets a broken connection is told so; without a listener the client would write to standard error besides.
  redis.on('error', () => {});
  return redis;
};

/**
 * Counts in Redis, so that all processes share one budget. One round trip a use; without an answer in half a second, or with any
 * other than two numbers, a `RateLimiterUnavailableError` is thrown.
 */
export const newRedisRateLimiter = (url: string): RateLimiter => {
  const redis = connect(url);
  const count = async (key: string, windowMs: number): Promise<unknown> => {
    try {
      return await redis.eval(TAKE_ONE, 1, key, windowMs);
    } catch (error) {
      throw unavailable(error);
    }
  };
  return {
    take: async (key, limit, windowMs) => {
      const answer = await count(`${WIRE_NAME}:rate:${windowMs}:${boundKey(key)}`, windowMs);
      if (!isPair(answer)) throw new RateLimiterUnavailableError('it answered something else', 'EPROTO');
      const [used, leftMs] = answer;
      return budgetOf(used, limit, leftMs);
    },
    close: async () => redis.disconnect(),
  };
};
