import { LIMITS } from '@svc/contract/tables/limits.ts';
import { findOrganizationsToRemind, takeToRemind } from '@svc/postgres/actions/approvals/remind-approvers.ts';
import { leaveNotices, type Notice } from '@svc/postgres/events/notifications/notices.ts';
import type { Job } from '../job.ts';

const { atOnceMax } = LIMITS.approvals;

/** Reminds approvers, once for each approval, of an undecided approval that expires soon. */
export const remindApprovers: Job = {
  name: 'remind-approvers',
  everyMs: 5_000,
  findOrganizations: findOrganizationsToRemind,
  step: async ({ tx }, organization_id, now) => {
    const ending = await takeToRemind(tx, organization_id, now, atOnceMax);
    const notices = ending.map(
      ({ id, workspace_id, environment_id, expires_at }): Notice => ({
        ...{ organization_id, kind: 'approval_waiting', about: `${id} reminder`, subject_type: 'approval', subject_id: id },
        ...{ workspace_id, environment_id, event_id: null, facts: { because: 'reminder' }, kept_until: expires_at },
      }),
    );
    await leaveNotices(tx, notices);
    return ending.length === atOnceMax;
  },
};
