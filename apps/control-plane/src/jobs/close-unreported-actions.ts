import type { Execution } from '@svc/contract/actions/decisions.ts';
import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
import { digestRecords } from '@svc/operations/events/audit-log/digest-records.ts';
import {
  type Before,
  closeUnreportedActions as closeUnreported,
  findOrganizationsWithUnreportedActions,
} from '@svc/postgres/actions/actions/unreported-actions.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { firstIdSince } from '@svc/program/ids/first-id-since.ts';
import type { Job } from './job.ts';

const LOOKED_AT = 500;

const UNREPORTED: Execution = { state: 'UNKNOWN', reason: 'The agent executes this itself, and did not report in time how it went.' };
const code = 'EXECUTION_TIMEOUT';

/** Closes actions that agents execute themselves and report nothing of: nobody knows whether they took effect. */
export const closeUnreportedActions = (withinSeconds: number): Job<ClockEvent<'close-unreported-actions'>> => {
  const beforeOf = (now: Date): Before => {
    const time = new Date(now.getTime() - withinSeconds * 1_000);
    return { time, actionId: firstIdSince('action', time) };
  };
  return {
    name: 'close-unreported-actions',
    everyMs: 30_000,
    findOrganizations: (identity, now) => findOrganizationsWithUnreportedActions(identity, beforeOf(now)),
    step: async ({ tx, emit }, organizationId, now) => {
      const portion = { limit: LOOKED_AT, execution: UNREPORTED, code };
      const { closed, more } = await closeUnreported(tx, organizationId, beforeOf(now), portion);
      const ids = closed.map(({ id }) => id);
      const digests = await digestRecords(tx, organizationId, 'action', ids, ['outcome_digest']);
      for (const action of closed) {
        const { id, agent_id, tool, status, approval_id } = action;
        const used = approval_id === null ? {} : { approval_id };
        const data = { agent_id, tool, status, code, http_status: null, ...used, detail: UNREPORTED.reason, ...digests(id) };
        emit('action.failed', { ...about.action(action), data });
      }
      return more;
    },
  };
};
