import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
import { expireApprovals as expire } from '@svc/operations/actions/approvals/expire-approvals.ts';
import { findOrganizationsWithOverdueApprovals } from '@svc/postgres/actions/approvals/overdue-approvals.ts';
import type { Job } from './job.ts';

/** Expires approvals that were not decided or used in time. */
export const expireApprovals: Job<ClockEvent<'expire-approvals'>> = {
  name: 'expire-approvals',
  everyMs: 2_000,
  findOrganizations: findOrganizationsWithOverdueApprovals,
  step: expire,
};
