import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { GatewayDeps } from '../../../deps.ts';

const MINUTE_MS = 60_000;

/** Charges one token to an agent's rate limit. Only a genuine assertion counts, so that no one can use up another agent's limit. */
export const spendToken = async (deps: GatewayDeps, agentId: string): Promise<Refusal<'RATE_LIMITED'> | undefined> => {
  const own = { key: `token:${agentId}`, limit: deps.settings.rates.gatewayTokenPerMinute };
  const budget = await deps.rateLimiter.take(own, MINUTE_MS);
  if (budget.allowed) return undefined;
  deps.watch?.refused('assertion');
  return buildRefusal('RATE_LIMITED', 'This agent has requested too many tokens in the last minute. Wait and try again.', {
    retry_after_seconds: Math.max(1, budget.resetSeconds),
  });
};
