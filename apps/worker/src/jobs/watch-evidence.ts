import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
import { watchEvidence as watch } from '@svc/operations/risk/trust/watch-evidence.ts';
import { findOrganizationsWithDueEvidence } from '@svc/postgres/risk/trust/trust-evidence.ts';
import type { Job } from './job.ts';

/**
 * Announces evidence that expires, and revokes that of disabled providers. Decisions do not depend on it: they compare the expiry
 * themselves.
 */
export const watchEvidence: Job<ClockEvent<'watch-evidence'>> = {
  name: 'watch-evidence',
  everyMs: 5_000,
  findOrganizations: findOrganizationsWithDueEvidence,
  step: watch,
};
