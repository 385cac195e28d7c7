import type { Budget } from './rate-limiter.ts';

/** Of two budgets that both have to hold, the one that says more: a refusal, or the one of which less is left. */
export const tighterOf = (own: Budget, whole: Budget): Budget => {
  if (!own.allowed) return own;
  if (!whole.allowed) return { ...whole, isWhole: true };
  return whole.remaining < own.remaining ? whole : own;
};

/** What a count says of a budget; the wait is never told as nothing, so that nobody tries again at once. */
export const budgetOf = (used: number, limit: number, leftMs: number): Budget => ({
  allowed: used <= limit,
  limit,
  remaining: Math.max(0, limit - used),
  resetSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
});
