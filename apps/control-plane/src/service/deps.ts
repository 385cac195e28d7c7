import type { PlaneClock } from '@svc/http/clock/open-database-clock.ts';
import type { Readiness } from '@svc/http/plane/readiness.ts';

/** Dependencies of the handlers of health and info. */
export type ServiceDeps = {
  readonly clock: PlaneClock;
  readonly readiness: Readiness;
  /** Faults that need the operator while the plane keeps serving. */
  readonly checks: { readonly isRenewalOverdue: () => Promise<boolean>; readonly isMailFailing: () => Promise<boolean> };
  readonly urls: { readonly base: string; readonly gateway: string };
};
