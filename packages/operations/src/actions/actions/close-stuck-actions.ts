import type { Execution } from '@svc/contract/actions/decisions.ts';
import { readLeases } from '@svc/postgres/actions/actions/read-leases.ts';
import { closeStuckActions as closeStuck } from '@svc/postgres/actions/actions/stuck-actions.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { digestRecords } from '../../events/audit-log/digest-records.ts';

const BATCH = 100;

const UNKNOWN: Execution = {
  state: 'UNKNOWN',
  reason: 'The execution was begun and its outcome was never recorded; check the destination before trying again.',
};
const code = 'EXECUTION_TIMEOUT';

/**
 * Closes a batch of actions whose gateway ended during their execution, with the leases of their credentials. It is unknown whether they
 * took effect, so none is retried. Returns true if there may be more.
 */
export const closeStuckActions = async (
  { tx, emit }: Change<'action.failed' | 'credential.lease_expired'>,
  organizationId: string,
): Promise<boolean> => {
  const closed = await closeStuck(tx, organizationId, { execution: UNKNOWN, code, limit: BATCH });
  const ids = closed.map(({ id }) => id);
  const digests = await digestRecords(tx, organizationId, 'action', ids, ['outcome_digest']);
  for (const action of closed) {
    const { id, agent_id, tool, approval_id } = action;
    const used = approval_id === null ? {} : { approval_id };
    const data = { agent_id, tool, status: 'UNKNOWN', code, http_status: null, ...used, ...digests(id) };
    emit('action.failed', { ...about.action(action), data });
  }
  // The gateway that held the secret has ended, and the opened secret with it.
  const leases = await readLeases(tx, organizationId, ids);
  for (const action of closed) {
    const lease = leases.get(action.id);
    if (lease) emit('credential.lease_expired', { ...about.action(action), data: lease });
  }
  return closed.length === BATCH;
};
