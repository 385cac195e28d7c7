import type { Endpoint } from '@svc/contract/endpoint.ts';
import { type Refusal, refusal } from '@svc/contract/refusal.ts';
import type { Budget } from '@svc/shared-state/rate-limiter.ts';
import type { ServeDeps } from './serve-deps.ts';

const MINUTE_MS = 60_000;

const LOGIN_OPERATIONS = new Set(['/v1/auth/login', '/v1/auth/step-up', '/v1/auth/signup']);

type Limit = { readonly key: string; readonly limit: number };

/** Which budget a request draws on. Sign-in counts per address here; per account it is the lockout's business. */
export const limitOf = (row: Endpoint, deps: ServeDeps, principal: string, sourceIp: string): Limit | undefined => {
  if (LOGIN_OPERATIONS.has(row.path)) return { key: `sign-in:${sourceIp}`, limit: deps.rates.loginPerMinute };
  if (row.credential === 'agent') return { key: `agent:${principal}`, limit: deps.rates.gatewayActionsPerMinute };
  if (row.credential !== 'none') return { key: `control:${principal}`, limit: deps.rates.controlPlanePerMinute };
  return undefined;
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
