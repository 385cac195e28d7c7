import type { RateLimitState } from './rate-limiter.ts';

/** Returns the stricter of two budgets that both apply: a refusal, or the one with fewer uses left. */
export const chooseTighterBudget = (own: RateLimitState, whole: RateLimitState): RateLimitState => {
  if (!own.allowed) return own;
  if (!whole.allowed) return { ...whole, isWhole: true };
  return whole.remaining < own.remaining ? whole : own;
};

/** Returns the budget after a count. The wait is never zero, so that no client retries at once. */
export const computeBudget = (used: number, limit: number, leftMs: number): RateLimitState => ({
  allowed: used <= limit,
  limit,
  remaining: Math.max(0, limit - used),
  resetSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
});
