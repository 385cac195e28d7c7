import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
import { eraseOrganization } from '@svc/operations/tenancy/organization/erase-organization.ts';
import { findEndedOrganizations } from '@svc/postgres/tenancy/organization/erase-organization.ts';
import type { Job } from './job.ts';

const ROWS_MAX = 1_000;

/** Erases organizations whose grace period has ended, about `rowsMax` rows in each step. */
export const deleteEndedOrganizations = (rowsMax: number): Job<ClockEvent<'delete-organizations'>> => ({
  name: 'delete-organizations',
  everyMs: 10_000,
  findOrganizations: findEndedOrganizations,
  step: (change, organizationId, now) => eraseOrganization(change, { organizationId, rowsMax, now }),
});

export const deleteOrganizations = deleteEndedOrganizations(ROWS_MAX);
