import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
import { openMatchedIncidents } from '@svc/operations/incidents/incident-rules/open-matched-incidents.ts';
import { findOrganizationsWithMatches } from '@svc/postgres/incidents/incident-rules/incident-matches.ts';
import type { Job } from './job.ts';

/** Opens incidents for findings of the feed consumer. */
export const openIncidents: Job<ClockEvent<'open-incidents'>> = {
  name: 'open-incidents',
  everyMs: 1_000,
  findOrganizations: findOrganizationsWithMatches,
  step: openMatchedIncidents,
};
