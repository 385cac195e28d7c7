import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
import { escalateApprovals as escalate } from '@svc/operations/actions/approvals/escalate-approvals.ts';
import { findOrganizationsToEscalate } from '@svc/postgres/actions/approvals/escalate-approvals.ts';
import type { Job } from './job.ts';

/** Escalates approvals that were not decided in the time of their rule. */
export const escalateApprovals: Job<ClockEvent<'escalate-approvals'>> = {
  name: 'escalate-approvals',
  everyMs: 2_000,
  findOrganizations: findOrganizationsToEscalate,
  step: escalate,
};
