import { WIRE_NAME } from '@svc/contract/tables/wire-name.ts';
import { Redis, ReplyError } from 'ioredis';
import { boundKey } from './bound-key.ts';
import { chooseTighterBudget, computeBudget } from './budget.ts';
import type { RateLimiter, Share } from './rate-limiter.ts';
import { RateLimiterUnavailableError } from './rate-limiter-unavailable-error.ts';

/** The timeout of a use, connecting included. */
const ANSWER_WITHIN_MS = 500;

/** A connection that has a pending request and is silent for this long is dead: it is dropped and reopened. */
const SILENT_SOCKET_MS = 1_000;

const RECONNECT_AFTER_MS_MAX = 1_000;

/**
 * Counts the uses of each key unless that would exceed its limit, and returns for each key that was read the count with them and the
 * remaining window. A key that lost its expiry gets a new one, so that no window lasts for ever.
 */
const TAKE = `
local counted = {}
for at, key in ipairs(KEYS) do
  local used = (tonumber(redis.call('GET', key)) or 0) + tonumber(ARGV[1 + #KEYS + at])
  local fits = used <= (tonumber(ARGV[1 + at]) or 0)
  if fits then used = redis.call('INCRBY', key, ARGV[1 + #KEYS + at]) end
  local left = redis.call('PTTL', key)
  if left < 0 then
    redis.call('PEXPIRE', key, ARGV[1])
    left = tonumber(ARGV[1])
  end
  counted[2 * at - 1] = used
  counted[2 * at] = left
  if not fits then break end
end
return counted`;

/** One pair of count and time for each requested budget, or for the first alone if that is used up. */
const isCounted = (answer: unknown, shares: number): answer is number[] =>
  Array.isArray(answer) && (answer.length === 2 || answer.length === 2 * shares) && answer.every(Number.isSafeInteger);

/** A client error may contain its command, and the first command of a connection contains the password: only fixed words are kept. */
const getReason = (error: unknown): Reason | undefined => {
  const { code, message, command } = error as { readonly code?: unknown; readonly message: string; readonly command?: { name?: string } };
  const said = message.split(' ', 1)[0] ?? '';
  if (error instanceof ReplyError)
    return { said: `it answered ${said}${command?.name ? ` to ${command.name.toUpperCase()}` : ''}`, code: said };
  return typeof code === 'string' ? { said: `it is unreachable (${code})`, code } : undefined;
};

type Reason = { readonly said: string; readonly code: string };

const SILENT: Reason = { said: 'it is unreachable or did not respond in time', code: 'ETIMEDOUT' };

const connect = (url: string): Redis => {
  if (!/^rediss?:\/\//.test(url)) throw new Error('The address of Redis must begin with redis:// or rediss://.');
  // The client treats a value that is not a number as none, and so as the first database.
  const { pathname, searchParams } = new URL(url);
  if (![pathname.slice(1), ...searchParams.getAll('db')].every((named) => /^[0-9]*$/.test(named)))
    throw new Error('The database in the address of Redis must be a number.');
  const redis = new Redis(url, {
    connectionName: `${WIRE_NAME}-rate-limiter`,
    connectTimeout: ANSWER_WITHIN_MS,
    commandTimeout: ANSWER_WITHIN_MS,
    socketTimeout: SILENT_SOCKET_MS,
    maxRetriesPerRequest: 0,
    // A use that may have been counted is never retried without the caller's knowledge.
    autoResendUnfulfilledCommands: false,
    retryStrategy: (times) => Math.min(25 * 2 ** Math.min(times, 10), RECONNECT_AFTER_MS_MAX),
    // After a failover the old primary still listens and refuses to write.
    reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
  });
  return redis;
};

/** Remembers what prevents a connection, such as a wrong password: waiting uses only learn that the connection ended. */
const newHindrance = (redis: Redis): (() => Reason | undefined) => {
  let hindrance: Reason | undefined;
  redis.on('error', (error: unknown) => {
    hindrance = getReason(error) ?? hindrance;
  });
  redis.on('ready', () => {
    hindrance = undefined;
  });
  return () => hindrance;
};

/**
 * Returns why the connection counts in another database than the configured one: a client that is refused there continues in the first one.
 * Checked for each new connection, since a server may come back with more databases.
 */
const newStray = (redis: Redis): (() => Reason | undefined) => {
  let stray: Reason | undefined;
  redis.on('error', (error: unknown) => {
    const { command } = error as { readonly command?: { name?: string } };
    if (!(error instanceof ReplyError) || command?.name !== 'select') return;
    const { code = '' } = getReason(error) ?? {};
    stray = { said: `the database number in REDIS_URL does not exist, or this user has no access to it (SELECT returned ${code})`, code };
  });
  redis.on('connect', () => {
    stray = undefined;
  });
  return () => stray;
};

/**
 * Counts in Redis, so that all processes share one budget. One round trip per use; without an answer within half a second, or with an
 * answer
 * that is not whole numbers, it throws a `RateLimiterUnavailableError`.
 */
export const newRedisRateLimiter = (url: string): RateLimiter => {
  const redis = connect(url);
  const hindrance = newHindrance(redis);
  const stray = newStray(redis);
  const count = async (shares: readonly Share[], windowMs: number): Promise<unknown> => {
    const keys = shares.map(({ key }) => `${WIRE_NAME}:rate:${windowMs}:${boundKey(key)}`);
    try {
      const answer = await redis.eval(
        TAKE,
        keys.length,
        ...keys,
        windowMs,
        ...shares.map(({ limit }) => limit),
        ...shares.map(({ uses = 1 }) => uses),
      );
      const elsewhere = stray();
      if (elsewhere === undefined) return answer;
      throw new RateLimiterUnavailableError(elsewhere.said, elsewhere.code);
    } catch (error) {
      if (error instanceof RateLimiterUnavailableError) throw error;
      const { said, code } = getReason(error) ?? (redis.status === 'ready' ? undefined : hindrance()) ?? SILENT;
      throw new RateLimiterUnavailableError(said, code);
    }
  };
  return {
    take: async (own, windowMs, whole) => {
      const answer = await count(whole ? [own, whole] : [own], windowMs);
      if (!isCounted(answer, whole ? 2 : 1)) throw new RateLimiterUnavailableError('it returned an unexpected response', 'EPROTO');
      const [used = 0, leftMs = 0, usedOfWhole, leftMsOfWhole = 0] = answer;
      const budget = computeBudget(used, own.limit, leftMs);
      if (!whole || usedOfWhole === undefined) return budget;
      return chooseTighterBudget(budget, computeBudget(usedOfWhole, whole.limit, leftMsOfWhole));
    },
    close: async () => redis.disconnect(),
  };
};
