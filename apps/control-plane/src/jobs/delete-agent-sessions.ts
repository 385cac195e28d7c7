import { deleteOldAgentSessions, findOrganizationsWithOldAgentSessions } from '@svc/postgres/sweeps/old-agent-sessions.ts';
import type { Job } from './job.ts';

const BATCH = 1_000;

/** Far beyond what clocks of several machines differ: no gateway takes a token of these sessions for a living one. */
const KEPT_AFTER_EXPIRY_MS = 3_600_000;

const before = (now: Date): Date => new Date(now.getTime() - KEPT_AFTER_EXPIRY_MS);

/** Deletes sessions of agents, and the ends of sessions, that mean nothing any more. */
export const deleteAgentSessions: Job = {
  name: 'delete-agent-sessions',
  everyMs: 60_000,
  findOrganizations: (identity, now) => findOrganizationsWithOldAgentSessions(identity, before(now)),
  step: async ({ tx }, organizationId, now) => (await deleteOldAgentSessions(tx, organizationId, before(now), BATCH)) === BATCH,
};
