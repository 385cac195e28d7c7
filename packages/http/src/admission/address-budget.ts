import type { Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { getAddressGroup } from '@svc/domain/people/auth/address-group.ts';
import { newMemoryRateLimiter } from '@svc/shared-state/memory-rate-limiter.ts';
import type { RateLimitState } from '@svc/shared-state/rate-limiter.ts';
import { newTokenBuckets } from '@svc/shared-state/token-buckets.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasCredential } from '../browser/presented-credential.ts';
import type { ServeDeps } from '../calls/serve-deps.ts';
import { getConnection } from '../connections/connection.ts';
import { type Barred, newBarred } from './barred.ts';
import { refuseRateLimited } from './rate-limit.ts';
import { refuseUnread } from './refuse-unread.ts';

const MINUTE_MS = 60_000;
const UNAUTHORIZED = 401;

type Terms = Pick<ServeDeps, 'trustProxy' | 'browser'>;

/** Behind a proxy one connection carries many callers, so the credential of one request proves nothing about the next. */
const isUnproven = (request: FastifyRequest, { trustProxy, browser }: Terms): boolean => {
  if (!hasCredential(request, browser)) return true;
  return !trustProxy && getConnection(request.raw.socket)?.isProven === false;
};

/** True if the credential of a request authenticated no one and the row required none. */
const showedNothing = (request: FastifyRequest, reply: FastifyReply, { browser }: Terms): boolean => {
  if (!hasCredential(request, browser)) return false;
  if (reply.statusCode === UNAUTHORIZED || request.routeOptions.url === undefined) return true;
  const { admitted } = request;
  return admitted !== null && admitted.caller === undefined && admitted.agent === undefined;
};

/** Rate limits of an address without authentication. */
export type AddressBudget = {
  /** Undefined while the budget is not used up. */
  readonly takePlain: (address: string) => Refusal | undefined;
  readonly takeHealth: (address: string) => Refusal | undefined;
  /** For requests without a route, from any caller. */
  readonly takeUnrouted: (address: string) => Refusal | undefined;
  readonly take: Take;
};

export type Burst = { readonly atOnceMax: number; readonly perSecondMax: number };

/** Returns a burst: the given minimum, multiplied if an address may send more per minute than by default. */
export const computeBurst = ({ addressPerMinute }: Pick<ServeDeps['rates'], 'addressPerMinute'>, least: Burst): Burst => {
  const times = Math.max(1, addressPerMinute / LIMITS.rates.addressPerMinute);
  return { atOnceMax: Math.round(least.atOnceMax * times), perSecondMax: least.perSecondMax * times };
};

type BurstTerms = Burst & { readonly addressesMax: number };

/** Creates a token bucket per address, and the refusal for an empty one. */
const newBursts = ({ atOnceMax, perSecondMax, addressesMax }: BurstTerms, whose: Parameters<typeof refuseRateLimited>[1]) => {
  const wait = newTokenBuckets({ burstMax: atOnceMax, perSecond: perSecondMax, keysMax: addressesMax });
  return (address: string): Refusal | undefined => {
    const resetSeconds = wait(getAddressGroup(address));
    return resetSeconds === undefined
      ? undefined
      : refuseRateLimited({ allowed: false, limit: atOnceMax, remaining: 0, resetSeconds }, whose);
  };
};

export const newAddressBudget = ({ rates }: Pick<ServeDeps, 'rates'>): AddressBudget => {
  const limiter = newMemoryRateLimiter();
  const take: Take = (key) => limiter.take({ key, limit: rates.addressPerMinute }, MINUTE_MS);
  const unlessAllowed = (budget: RateLimitState): Refusal | undefined =>
    budget.allowed ? undefined : refuseRateLimited(budget, 'address');
  const { unrouted, health } = LIMITS;
  return {
    take,
    takeUnrouted: newBursts({ ...unrouted, ...computeBurst(rates, unrouted) }, 'paths of an address'),
    takeHealth: newBursts(health, 'questions for health of an address'),
    takePlain: (address) => unlessAllowed(take(getAddressGroup(address))),
  };
};

type Take = (group: string) => ReturnType<ReturnType<typeof newMemoryRateLimiter>['take']>;

/**
 * A client with an invalid credential counts as unauthenticated again: on its own connection from the next request on, behind a proxy by
 * its address.
 */
const noteStranger = (request: FastifyRequest, trustProxy: boolean, take: Take, barred: Barred): void => {
  const connection = getConnection(request.raw.socket);
  if (!trustProxy) {
    if (connection) connection.isProven = false;
    return;
  }
  const group = getAddressGroup(request.ip);
  const budget = take(group);
  if (!budget.allowed) barred.add(group, budget);
};

/**
 * Limits unauthenticated requests by address, before anything is read, looked up or verified: requests without a credential, and those
 * whose credential is the first of its connection or follows an invalid one. Behind a proxy an invalid credential is charged afterwards,
 * and an address without budget is refused. Health checks have a separate budget, so that no probe uses it up. Counted in this process, so
 * that it waits for nothing.
 */
export const addAddressBudget = (
  app: FastifyInstance,
  budget: AddressBudget,
  { watch, ...terms }: Terms & Pick<ServeDeps, 'watch'>,
): void => {
  const { trustProxy } = terms;
  const barred = newBarred();
  const { take, takeHealth } = budget;
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.isUncounted) {
      const tooOften = takeHealth(request.ip);
      if (tooOften === undefined) return done();
      watch?.refused('address');
      return refuseUnread(reply, tooOften);
    }
    const isCounted = isUnproven(request, terms);
    if (!isCounted && barred.isEmpty()) return done();
    const group = getAddressGroup(request.ip);
    const refused = isCounted ? take(group) : barred.find(group);
    if (refused === undefined || refused.allowed) return done();
    watch?.refused('address');
    refuseUnread(reply, refuseRateLimited(refused, 'address'));
  });
  app.addHook('onResponse', (request, reply, done) => {
    if (showedNothing(request, reply, terms)) noteStranger(request, trustProxy, take, barred);
    done();
  });
};
