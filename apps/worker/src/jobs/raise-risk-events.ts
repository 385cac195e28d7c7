import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
import { raiseRiskEvents as raise } from '@svc/operations/risk/risk-events/raise-risk-events.ts';
import { findOrganizationsWithRisk } from '@svc/postgres/risk/risk-events.ts';
import type { Job } from './job.ts';

/** Creates risk events from findings of the feed consumer. */
export const raiseRiskEvents: Job<ClockEvent<'raise-risk-events'>> = {
  name: 'raise-risk-events',
  everyMs: 1_000,
  findOrganizations: findOrganizationsWithRisk,
  step: raise,
};
