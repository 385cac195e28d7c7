import type { Execution } from '@svc/contract/decisions.ts';
import { closeStuckActions as closeStuck, findOrganizationsWithStuckActions } from '@svc/postgres/sweeps/stuck-actions.ts';
import type { Job } from './job.ts';

const BATCH = 100;

/** Several times longer than a call may take, so that whatever is still in execution was left behind by a process that ended. */
const STUCK_AFTER_MS = 60_000;

const UNKNOWN: Execution = {
  state: 'UNKNOWN',
  reason: 'The execution was begun and its outcome was never recorded; check the destination before trying again.',
};
const code = 'EXECUTION_TIMEOUT';

const since = (now: Date): Date => new Date(now.getTime() - STUCK_AFTER_MS);

/** Closes actions whose execution nobody will report any more. It is not known whether they took effect, so nothing is tried again. */
export const closeStuckActions: Job = {
  name: 'close-stuck-actions',
  everyMs: 5_000,
  findOrganizations: (identity, now) => findOrganizationsWithStuckActions(identity, since(now)),
  step: async ({ tx, emit }, organizationId, now) => {
    const closed = await closeStuck(tx, organizationId, since(now), { execution: UNKNOWN, code, now, limit: BATCH });
    for (const { id, agent_id, tool, workspace_id, environment_id } of closed) {
      const data = { agent_id, tool, status: 'UNKNOWN', code, http_status: null };
      emit('action.failed', { subject: { type: 'action', id }, workspace_id, environment_id, data });
    }
    return closed.length === BATCH;
  },
};
