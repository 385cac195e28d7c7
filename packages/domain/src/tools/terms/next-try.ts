import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { RetryPlan } from './call-terms.ts';
import { isAmong } from './statuses.ts';

/** The result of one attempt. */
export type Tried =
  | { readonly kind: 'answered'; readonly status: number; readonly isSuccess: boolean; readonly retryAfter: string | undefined }
  /** Nothing can have happened at the destination. */
  | { readonly kind: 'unsent' }
  /** It may have had an effect. */
  | { readonly kind: 'doubtful' }
  /** A retry would not help or is not allowed: the destination must not be called, the secret cannot be obtained. */
  | { readonly kind: 'final' };

export type TriesSoFar = {
  readonly tries: number;
  readonly elapsedMs: number;
  /** For all tries together. */
  readonly withinMs: number;
  /** From 0 to 1, drawn for this wait. */
  readonly random: number;
};

const { tryMsMin } = LIMITS.execution;
const NO_WAIT_MS = 0;
const SECOND_MS = 1_000;

/** Retry-After in seconds; a date is ignored, since the skew of the destination's clock is unknown. */
const askedMs = (retryAfter: string | undefined): number =>
  retryAfter !== undefined && /^[0-9]{1,9}$/.test(retryAfter) ? Number(retryAfter) * SECOND_MS : NO_WAIT_MS;

const isRepeated = ({ statuses, network_errors }: RetryPlan, tried: Tried): boolean => {
  if (tried.kind === 'answered') return !tried.isSuccess && isAmong(statuses, tried.status);
  return tried.kind !== 'final' && network_errors;
};

/**
 * Returns the wait before a retry, in ms; undefined if there is none. The timeout of all attempts is never exceeded: if the
 * wait plus the minimum time of an attempt does not fit into the rest of it, there is no retry.
 */
export const waitBeforeNext = (
  plan: RetryPlan | null,
  tried: Tried,
  { tries, elapsedMs, withinMs, random }: TriesSoFar,
): number | undefined => {
  if (plan === null || tries >= plan.tries_max || !isRepeated(plan, tried)) return undefined;
  const backoffMs = plan.backoff_ms * 2 ** (tries - 1) * (0.5 + random / 2);
  const waitMs = Math.ceil(Math.max(backoffMs, tried.kind === 'answered' ? askedMs(tried.retryAfter) : NO_WAIT_MS));
  return elapsedMs + waitMs + tryMsMin <= withinMs ? waitMs : undefined;
};

/** For one try, in ms: what is left of the time for all of them, or what the plan gives to each. */
export const tryTimeoutMs = (plan: RetryPlan | null, { elapsedMs, withinMs }: Pick<TriesSoFar, 'elapsedMs' | 'withinMs'>): number =>
  Math.max(1, Math.min(Math.floor(withinMs - elapsedMs), plan?.try_timeout_ms ?? withinMs));
