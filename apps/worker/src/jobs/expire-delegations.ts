import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
import { expireDelegations as expire } from '@svc/operations/agents/delegations/expire-delegations.ts';
import { findOrganizationsWithOverdueDelegations } from '@svc/postgres/agents/delegations/overdue-delegations.ts';
import type { Job } from './job.ts';

/** Records that delegations expired. Decisions do not depend on it: they read the expiry of the delegation. */
export const expireDelegations: Job<ClockEvent<'expire-delegations'>> = {
  name: 'expire-delegations',
  everyMs: 2_000,
  findOrganizations: findOrganizationsWithOverdueDelegations,
  step: expire,
};
