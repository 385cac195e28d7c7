import type { Execution } from '@svc/contract/actions/decisions.ts';
import { closeUnreportedActions as closeUnreported, type UnreportedBefore } from '@svc/postgres/actions/actions/unreported-actions.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { digestRecords } from '../../events/audit-log/digest-records.ts';

const BATCH = 500;

const UNREPORTED: Execution = { state: 'UNKNOWN', reason: 'The agent executes this itself, and did not report in time how it went.' };
const code = 'EXECUTION_TIMEOUT';

/**
 * Closes a batch of actions that agents execute themselves and did not report in time. It is unknown whether they took effect. Returns true
 * if there may be more.
 */
export const closeUnreportedActions = async (
  { tx, emit }: Change<'action.failed'>,
  organizationId: string,
  before: UnreportedBefore,
): Promise<boolean> => {
  const { closed, more } = await closeUnreported(tx, organizationId, before, { limit: BATCH, execution: UNREPORTED, code });
  const ids = closed.map(({ id }) => id);
  const digests = await digestRecords(tx, organizationId, 'action', ids, ['outcome_digest']);
  for (const action of closed) {
    const { id, agent_id, tool, status, approval_id } = action;
    const used = approval_id === null ? {} : { approval_id };
    const data = { agent_id, tool, status, code, http_status: null, ...used, detail: UNREPORTED.reason, ...digests(id) };
    emit('action.failed', { ...about.action(action), data });
  }
  return more;
};
