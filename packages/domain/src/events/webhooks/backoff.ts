import { LIMITS } from '@svc/contract/tables/limits.ts';

const { retryDelaysSeconds, disableAfterFailingSeconds } = LIMITS.webhooks;

/** A wait is up to so much shorter or longer, so that what failed together does not come back together. */
const JITTER = 0.2;

/**
 * Milliseconds until the attempt that follows so many failures, jittered by a fraction from 0 to 1; undefined where there is none any more
 * and the delivery has failed for good.
 */
export const retryDelayMs = (failures: number, fraction: number): number | undefined => {
  const seconds = retryDelaysSeconds[failures];
  return seconds === undefined ? undefined : Math.round(seconds * 1000 * (1 - JITTER + 2 * JITTER * fraction));
};

/** Whether a receiver has been failing for so long that nothing is delivered to it any more until somebody looks. */
export const hasFailedForDays = (failingSince: string | null, nowMs: number): boolean =>
  failingSince !== null && nowMs - Date.parse(failingSince) >= disableAfterFailingSeconds * 1000;
