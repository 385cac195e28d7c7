import type { Execution } from '@svc/contract/actions/decisions.ts';
import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
import { digestRecords } from '@svc/operations/events/audit-log/digest-records.ts';
import { readLeases } from '@svc/postgres/actions/actions/read-leases.ts';
import { closeStuckActions as closeStuck, findOrganizationsWithStuckActions } from '@svc/postgres/actions/actions/stuck-actions.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Job } from './job.ts';

const BATCH = 100;

const UNKNOWN: Execution = {
  state: 'UNKNOWN',
  reason: 'The execution was begun and its outcome was never recorded; check the destination before trying again.',
};
const code = 'EXECUTION_TIMEOUT';

/**
 * Closes actions past the lease of the gateway that executed them: the process that held them has ended. It is not known whether they took
 * effect, so nothing is tried again.
 */
export const closeStuckActions: Job<ClockEvent<'close-stuck-actions'>> = {
  name: 'close-stuck-actions',
  everyMs: 5_000,
  findOrganizations: (identity) => findOrganizationsWithStuckActions(identity),
  step: async ({ tx, emit }, organizationId) => {
    const closed = await closeStuck(tx, organizationId, { execution: UNKNOWN, code, limit: BATCH });
    const ids = closed.map(({ id }) => id);
    const digests = await digestRecords(tx, organizationId, 'action', ids, ['outcome_digest']);
    for (const action of closed) {
      const { id, agent_id, tool, approval_id } = action;
      const used = approval_id === null ? {} : { approval_id };
      const data = { agent_id, tool, status: 'UNKNOWN', code, http_status: null, ...used, ...digests(id) };
      emit('action.failed', { ...about.action(action), data });
    }
    // The gateway that held the secret is gone, and with it what it had opened.
    const leases = await readLeases(tx, organizationId, ids);
    for (const action of closed) {
      const lease = leases.get(action.id);
      if (lease) emit('credential.lease_expired', { ...about.action(action), data: lease });
    }
    return closed.length === BATCH;
  },
};
