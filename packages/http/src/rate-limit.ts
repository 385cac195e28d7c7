import type { Endpoint } from '@svc/contract/endpoint.ts';
import { type Refusal, refusal } from '@svc/contract/refusal.ts';
import { addressGroup } from '@svc/domain/people/address-group.ts';
import type { Budget, Share } from '@svc/shared-state/rate-limiter.ts';
import type { AgentCaller, Caller } from './call.ts';
import type { ServeDeps } from './serve-deps.ts';

const MINUTE_MS = 60_000;

type Limit = Share & { readonly whole?: Share };

/** Who was recognised by the credential of a request, if anybody. */
export type Who = { readonly caller?: Caller; readonly agent?: AgentCaller };

/**
 * Guesses of a password are counted by who guesses: by address at sign-in, by session at step-up. Accounts have their lockout besides.
 * Everything else is counted by who acts, so that opening more sessions opens no more budget, and besides by organization, so that more
 * keys or agents do not either. Whoever has to stop something is not held up by what others of the organization have used.
 */
export const limitOf = (row: Endpoint, deps: Pick<ServeDeps, 'rates'>, { agent, caller }: Who, sourceIp: string): Limit | undefined => {
  const { rates } = deps;
  if (row.path === '/v1/auth/login') return { key: `login:${addressGroup(sourceIp)}`, limit: rates.loginPerMinute, unproven: true };
  if (row.path === '/v1/auth/step-up') return { key: `step-up:${caller?.credentialId}`, limit: rates.loginPerMinute };
  if (row.path === '/v1/auth/signup')
    return { key: `signup:${addressGroup(sourceIp)}`, limit: rates.controlPlanePerMinute, unproven: true };
  if (agent) {
    const whole = { key: `agents-of:${agent.organizationId}`, limit: rates.organizationActionsPerMinute };
    return { key: `agent:${agent.agentId}`, limit: rates.gatewayActionsPerMinute, whole };
  }
  if (!caller) return undefined;
  const own = { key: `control:${caller.organizationId}:${caller.actor.id}`, limit: rates.controlPlanePerMinute };
  if (row.emergency) return own;
  return { ...own, whole: { key: `control-of:${caller.organizationId}`, limit: rates.organizationPerMinute } };
};

export const budgetHeaders = (budget: Budget): Readonly<Record<string, string>> => ({
  'ratelimit-limit': String(budget.limit),
  'ratelimit-remaining': String(budget.remaining),
  'ratelimit-reset': String(budget.resetSeconds),
});

export const takeFrom = (deps: ServeDeps, limit: Limit): Budget | Promise<Budget> => deps.rateLimiter.take(limit, MINUTE_MS, limit.whole);

export const rateLimited = (budget: Budget): Refusal<'RATE_LIMITED'> =>
  refusal('RATE_LIMITED', undefined, { retry_after_seconds: Math.max(1, budget.resetSeconds) });
