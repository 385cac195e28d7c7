import { LIMITS } from '@svc/contract/tables/limits.ts';

/**
 * What comes of an attempt besides that it failed: the receiver is to have nothing any more; it said how many milliseconds to wait at least;
 * or the attempt goes again at once and counts as none.
 */
export type Asked = 'gone' | 'again' | number | null;

const { retryAfterSecondsMax } = LIMITS.webhooks;
const GONE = 410;
const BUSY: ReadonlySet<number> = new Set([429, 503]);

/**
 * What a status asks for, with Retry-After in seconds where it tells to come later. A time of day is not heeded, since nothing says how far the
 * clock of a receiver is off, and nobody has us wait for longer than a bound.
 */
export const askedOf = (status: number, retryAfter: string | undefined): Asked => {
  if (status === GONE) return 'gone';
  if (!BUSY.has(status) || retryAfter === undefined || !/^\s*\d{1,9}\s*$/.test(retryAfter)) return null;
  return Math.min(Number(retryAfter), retryAfterSecondsMax) * 1_000;
};
