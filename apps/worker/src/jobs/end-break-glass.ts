import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
import { recordEndedGrants } from '@svc/operations/incidents/emergency/decide-break-glass.ts';
import { findOrganizationsWithEndedGrants } from '@svc/postgres/incidents/emergency/break-glass.ts';
import type { Job } from './job.ts';

/** Records that emergency access ended. Requests do not depend on it: they compare its end with the time. */
export const endBreakGlass: Job<ClockEvent<'end-break-glass'>> = {
  name: 'end-break-glass',
  everyMs: 5_000,
  findOrganizations: findOrganizationsWithEndedGrants,
  step: recordEndedGrants,
};
