import type { Endpoint } from '@svc/contract/endpoint.ts';
import { type Refusal, refusal } from '@svc/contract/refusal.ts';
import type { Budget } from '@svc/shared-state/rate-limiter.ts';
import type { ServeDeps } from './serve-deps.ts';

const MINUTE_MS = 60_000;

type Limit = { readonly key: string; readonly limit: number };

/** Guesses of a password are counted by who guesses: by address at sign-in, by session at step-up. Accounts have their lockout besides. */
export const limitOf = (row: Endpoint, deps: ServeDeps, principal: string, sourceIp: string): Limit | undefined => {
  if (row.path === '/v1/auth/login') return { key: `login:${sourceIp}`, limit: deps.rates.loginPerMinute };
  if (row.path === '/v1/auth/step-up') return { key: `step-up:${principal}`, limit: deps.rates.loginPerMinute };
  if (row.path === '/v1/auth/signup') return { key: `signup:${sourceIp}`, limit: deps.rates.controlPlanePerMinute };
  if (row.credential === 'agent') return { key: `agent:${principal}`, limit: deps.rates.gatewayActionsPerMinute };
  return row.credential === 'none' ? undefined : { key: `control:${principal}`, limit: deps.rates.controlPlanePerMinute };
};

export const budgetHeaders = (budget: Budget): Readonly<Record<string, string>> => ({
  'ratelimit-limit': String(budget.limit),
  'ratelimit-remaining': String(budget.remaining),
  'ratelimit-reset': String(budget.resetSeconds),
});

export const takeFrom = (deps: ServeDeps, limit: Limit): Budget | Promise<Budget> =>
  deps.rateLimiter.take(limit.key, limit.limit, MINUTE_MS);

export const rateLimited = (budget: Budget): Refusal<'RATE_LIMITED'> =>
  refusal('RATE_LIMITED', undefined, { retry_after_seconds: Math.max(1, budget.resetSeconds) });
