import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
import { tellOfEnded } from '@svc/operations/agents/delegations/tell-of-ended.ts';
import { endBelow, endOverdueDelegations } from '@svc/postgres/agents/delegations/end-delegations.ts';
import { findOrganizationsWithOverdueDelegations } from '@svc/postgres/agents/delegations/overdue-delegations.ts';
import type { Job } from './job.ts';

const BATCH = 100;

/** Writes down what the clock has ended, and finishes what was begun below a delegation that ended. No decision waits for it. */
export const expireDelegations: Job<ClockEvent<'expire-delegations'>> = {
  name: 'expire-delegations',
  everyMs: 2_000,
  findOrganizations: findOrganizationsWithOverdueDelegations,
  step: async ({ tx, emit }, organizationId, now) => {
    const end = { status: 'EXPIRED', reason: 'It passed its expiry.', now } as const;
    const expired = await endOverdueDelegations(tx, organizationId, BATCH, end);
    tellOfEnded(emit, expired);
    // One or the other, never both at once: what is written holds epochs, and nobody who holds those waits for a row.
    if (expired.length > 0) return true;
    const below = await endBelow(tx, organizationId, now, BATCH);
    tellOfEnded(emit, below ?? []);
    return below !== undefined;
  },
};
