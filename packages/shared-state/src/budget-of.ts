import type { Budget } from './rate-limiter.ts';

/** What a count says of a budget; the wait is never told as nothing, so that nobody tries again at once. */
export const budgetOf = (used: number, limit: number, leftMs: number): Budget => ({
  allowed: used <= limit,
  limit,
  remaining: Math.max(0, limit - used),
  resetSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
});
