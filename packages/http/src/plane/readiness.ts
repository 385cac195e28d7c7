import { setTimeout as sleep } from 'node:timers/promises';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { askDatabase } from '@svc/postgres/connection/ask-database.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import type { RateLimiter } from '@svc/shared-state/rate-limiter.ts';
import type { Logger } from 'pino';
import { runOrRefuse } from '../answers/error-to-wire.ts';
import type { PlaneClock } from '../clock/open-database-clock.ts';

type PartName = 'database' | 'redis';
type State = 'ok' | 'unavailable';
/** Result of each part, at most `LIMITS.health.keptMs` old. */
export type Checks = Readonly<Partial<Record<PartName, State>>>;
/** Checks by part: resolve if the part works, and reject otherwise. */
export type Parts = Readonly<Partial<Record<PartName, () => Promise<unknown>>>>;

export type Readiness = { readonly look: () => Promise<Checks> };

type Bounds = { readonly checkMs: number; readonly keptMs: number };

const TITLES: Readonly<Record<PartName, string>> = { database: 'The database', redis: 'Redis' };

const REMEDIES: Readonly<Record<PartName, string>> = {
  database: 'check that it is running and that DATABASE_URL is its address',
  redis:
    'check that it is running and that REDIS_URL is its address. The log contains its error. Until it responds, requests that it counts are refused with 503',
};

/**
 * Returns the databases by their connections, and Redis if it is configured: it is asked to count, which one that only answers pings may
 * refuse.
 */
export const listParts = (databases: readonly Database[], redisUrl: string | undefined, rateLimiter: RateLimiter): Parts => ({
  database: () => Promise.all(databases.map(askDatabase)),
  ...(redisUrl === undefined ? {} : { redis: async () => rateLimiter.take({ key: 'readiness', limit: Number.MAX_SAFE_INTEGER }, 60_000) }),
});

const newCheck = (name: PartName, ask: () => Promise<unknown>, checkMs: number, log: Logger): (() => Promise<State>) => {
  let underWay: Promise<State> | undefined;
  let told: State = 'ok';
  let reason: unknown;
  const begin = async (): Promise<State> => {
    const outcome = await runOrRefuse(ask, (error) => {
      reason = error;
    });
    underWay = undefined;
    return isRefusal(outcome) ? 'unavailable' : 'ok';
  };
  return async () => {
    // A check that has not completed is not repeated concurrently.
    underWay ??= begin();
    const late = new AbortController();
    reason = undefined;
    const state = await Promise.race([underWay, sleep<State>(checkMs, 'unavailable', { signal: late.signal })]);
    late.abort();
    if (state !== told) {
      if (state === 'ok') log.info({ part: name }, `${TITLES[name]} responds again.`);
      else log.error({ part: name, err: reason }, `${TITLES[name]} does not respond.`);
    }
    told = state;
    return state;
  };
};

/** Checks the parts that a plane needs: each with a timeout, once for all concurrent callers, with a cached result. */
export const newReadiness = (parts: Parts, log: Logger, { checkMs, keptMs }: Bounds = LIMITS.health): Readiness => {
  const checks = Object.entries(parts).map(([name, ask]) => [name, newCheck(name as PartName, ask, checkMs, log)] as const);
  let look: Promise<Checks> | undefined;
  let keptUntil = 0;
  const begin = async (): Promise<Checks> => {
    keptUntil = Number.POSITIVE_INFINITY;
    const found = await Promise.all(checks.map(async ([name, check]) => [name, await check()] as const));
    keptUntil = performance.now() + keptMs;
    return Object.fromEntries(found);
  };
  return {
    look: () => {
      if (look === undefined || performance.now() >= keptUntil) look = begin();
      return look;
    },
  };
};

const missingIn = (checks: Checks): readonly PartName[] =>
  Object.entries(checks).flatMap(([name, state]) => (state === 'ok' ? [] : [name as PartName]));

/** Returns a sentence for each part that does not respond at startup. */
export const describeMissing = (checks: Checks): readonly string[] =>
  missingIn(checks).map((name) => `${TITLES[name]} does not respond: ${REMEDIES[name]}.`);

export type Ready = { readonly status: 'ok'; readonly checks: Record<string, string> };

/** Answers `/health/ready` on both planes; an uncertain time is reported if all parts respond. */
export const answerReady = async (
  readiness: Readiness,
  clock: Pick<PlaneClock, 'measure' | 'refusal'>,
): Promise<Ready | Refusal<'DEPENDENCY_UNAVAILABLE'>> => {
  const checks = await readiness.look();
  const missing = missingIn(checks);
  if (missing.length > 0)
    return buildRefusal('DEPENDENCY_UNAVAILABLE', missing.map((name) => `${TITLES[name]} does not respond.`).join(' '), { checks });
  await clock.measure();
  return clock.refusal() ?? { status: 'ok', checks: { ...checks, clock: 'ok' } };
};
