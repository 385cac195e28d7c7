import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
import { closeStuckActions as closeStuck } from '@svc/operations/actions/actions/close-stuck-actions.ts';
import { findOrganizationsWithStuckActions } from '@svc/postgres/actions/actions/stuck-actions.ts';
import type { Job } from './job.ts';

/** Closes actions whose gateway ended while it executed them. */
export const closeStuckActions: Job<ClockEvent<'close-stuck-actions'>> = {
  name: 'close-stuck-actions',
  everyMs: 5_000,
  findOrganizations: (identity) => findOrganizationsWithStuckActions(identity),
  step: closeStuck,
};
