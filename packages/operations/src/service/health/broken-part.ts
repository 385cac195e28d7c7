import { isDiskFull } from '@svc/postgres/connection/is-disk-full.ts';
import { isUnavailable } from '@svc/postgres/connection/is-unavailable.ts';
import { UnfitRow } from '@svc/postgres/governance/unfit-row.ts';
import { RateLimiterUnavailableError } from '@svc/shared-state/rate-limiter-unavailable-error.ts';

export { isLocked } from '@svc/postgres/connection/is-locked.ts';

/** Which part an operator has to look at; undefined where it is the service itself. */
export const brokenPart = (error: unknown): 'redis' | 'database' | 'disk' | undefined => {
  if (error instanceof RateLimiterUnavailableError) return 'redis';
  if (isDiskFull(error)) return 'disk';
  return error instanceof UnfitRow || isUnavailable(error) ? 'database' : undefined;
};
