import { LIMITS } from '@svc/contract/tables/limits.ts';
import {
  findOrganizationsWithEndings,
  listEndingAgents,
  listEndingDelegations,
  listEndingPassports,
  takeEndingKeys,
  type UpcomingExpiry,
} from '@svc/postgres/events/notifications/endings.ts';
import { leaveNotices, type Notice } from '@svc/postgres/events/notifications/notices.ts';
import type { Job } from '../job.ts';

/** Kinds of resources that expire, with the query that finds them. */
const ENDINGS = [
  { kind: 'key_expiring', subject_type: 'api_key', find: takeEndingKeys },
  { kind: 'passport_expiring', subject_type: 'agent', find: listEndingPassports },
  { kind: 'agent_expiring', subject_type: 'agent', find: listEndingAgents },
  { kind: 'delegation_expiring', subject_type: 'delegation', find: listEndingDelegations },
] as const;

const newNotice = (
  organization_id: string,
  { kind, subject_type }: (typeof ENDINGS)[number],
  { id, about, name, ends_at, people, workspace_id, environment_id }: UpcomingExpiry,
): Notice => ({
  ...{ organization_id, kind, about, subject_type, subject_id: id, workspace_id, environment_id, event_id: null },
  facts: { name, ends_at, people: people.join(' ') },
  kept_until: ends_at,
});

/** Creates a notice about each coming expiry, once. */
export const warnOfEndings: Job = {
  name: 'warn-of-endings',
  everyMs: 60_000,
  findOrganizations: findOrganizationsWithEndings,
  step: async ({ tx }, organizationId, now) => {
    let most = 0;
    for (const row of ENDINGS) {
      const found = await row.find(tx, organizationId, now);
      await leaveNotices(
        tx,
        found.map((ending) => newNotice(organizationId, row, ending)),
      );
      most = Math.max(most, found.length);
    }
    return most === LIMITS.notifications.warningsPerStepMax;
  },
};
