import { LIMITS } from '@svc/contract/tables/limits.ts';

/**
 * The receiver's request after a failed attempt: stop deliveries; wait at least so many milliseconds;
 * or retry at once without counting the attempt.
 */
export type ReceiverRequest = 'gone' | 'again' | number | null;

const { retryAfterSecondsMax } = LIMITS.webhooks;
const GONE = 410;
const BUSY: ReadonlySet<number> = new Set([429, 503]);

/**
 * Returns what a status requests, with Retry-After in seconds. A date is ignored, since the skew of the receiver's clock is unknown, and
 * the
 * wait is bounded.
 */
export const readReceiverRequest = (status: number, retryAfter: string | undefined): ReceiverRequest => {
  if (status === GONE) return 'gone';
  if (!BUSY.has(status) || retryAfter === undefined || !/^\s*\d{1,9}\s*$/.test(retryAfter)) return null;
  return Math.min(Number(retryAfter), retryAfterSecondsMax) * 1_000;
};
