import { LIMITS } from '@svc/contract/tables/limits.ts';

const { retryDelaysSeconds, disableAfterFailingSeconds } = LIMITS.webhooks;

/** Random change of a wait, as a fraction, so that simultaneous failures are not retried together (jitter). */
const JITTER = 0.2;

/**
 * Returns milliseconds until the attempt after so many failures, with jitter from a fraction from 0 to 1; undefined if the delivery has
 * failed for good.
 */
export const retryDelayMs = (failures: number, fraction: number): number | undefined => {
  const seconds = retryDelaysSeconds[failures];
  return seconds === undefined ? undefined : Math.round(seconds * 1000 * (1 - JITTER + 2 * JITTER * fraction));
};

/** Returns true if a receiver has been failing for so long that deliveries stop until a person looks at it. */
export const hasFailedForDays = (failingSince: string | null, nowMs: number): boolean =>
  failingSince !== null && nowMs - Date.parse(failingSince) >= disableAfterFailingSeconds * 1000;
