import { isDiskFull } from '@svc/postgres/connection/is-disk-full.ts';
import { isLocked } from '@svc/postgres/connection/is-locked.ts';
import { isUnavailable } from '@svc/postgres/connection/is-unavailable.ts';
import { UnfitRow } from '@svc/postgres/governance/unfit-row.ts';
import { RateLimiterUnavailableError } from '@svc/shared-state/rate-limiter-unavailable-error.ts';

/** True if a statement timed out waiting for another transaction, which the operator may have to end. */
export const isLockWait = (error: unknown): boolean => isLocked(error);

/** Returns which part an operator must look at; undefined if it is the service itself. */
export const findBrokenPart = (error: unknown): 'redis' | 'database' | 'disk' | undefined => {
  if (error instanceof RateLimiterUnavailableError) return 'redis';
  if (isDiskFull(error)) return 'disk';
  return error instanceof UnfitRow || isUnavailable(error) ? 'database' : undefined;
};
