import type { Execution } from '@svc/contract/actions/decisions.ts';
import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
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
    for (const action of closed) {
      const { agent_id, tool, approval_id } = action;
      const data = { agent_id, tool, status: 'UNKNOWN', code, http_status: null, ...(approval_id === null ? {} : { approval_id }) };
      emit('action.failed', { ...about.action(action), data });
    }
    return closed.length === BATCH;
  },
};
