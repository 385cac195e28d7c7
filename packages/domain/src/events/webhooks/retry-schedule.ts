import { LIMITS } from '@svc/contract/tables/limits.ts';

const { retryDelaysSeconds, disableAfterFailingSeconds } = LIMITS.webhooks;

/** Maximum jitter of a retry delay, as a fraction, so that simultaneous failures are not retried at the same time. */
const JITTER = 0.2;

/**
 * Returns the delay in milliseconds before the attempt after `failures` failures. `fraction`, from 0 to 1, chooses the jitter. Returns
 * undefined if no attempt is left.
 */
export const computeRetryDelayMs = (failures: number, fraction: number): number | undefined => {
  const seconds = retryDelaysSeconds[failures];
  return seconds === undefined ? undefined : Math.round(seconds * 1000 * (1 - JITTER + 2 * JITTER * fraction));
};

/** Returns true if a receiver has failed for so long that its subscription must be disabled. */
export const isFailingTooLong = (failingSince: string | null, nowMs: number): boolean =>
  failingSince !== null && nowMs - Date.parse(failingSince) >= disableAfterFailingSeconds * 1000;
