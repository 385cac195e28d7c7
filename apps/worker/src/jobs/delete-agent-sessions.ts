import { LIMITS } from '@svc/contract/tables/limits.ts';
import { getNonceKeptForMs } from '@svc/domain/agents/identity/assertion-window.ts';
import {
  deleteOldAgentSessions,
  findOrganizationsWithOldAgentSessions,
  type OldSessions,
} from '@svc/postgres/agents/identity/old-agent-sessions.ts';
import type { Job } from './job.ts';

const BATCH = 1_000;

const { clockDifferenceSeconds } = LIMITS.assertions;

/** No gateway accepts a token of these sessions, or the assertion that began one. */
const old = (now: Date): OldSessions => ({
  expiredBefore: new Date(now.getTime() - clockDifferenceSeconds * 1_000),
  begunBefore: new Date(now.getTime() - getNonceKeptForMs()),
});

/** Deletes sessions of agents, and the ends of sessions, that no longer matter. */
export const deleteAgentSessions: Job = {
  name: 'delete-agent-sessions',
  everyMs: 60_000,
  findOrganizations: (identity, now) => findOrganizationsWithOldAgentSessions(identity, old(now)),
  step: async ({ tx }, organizationId, now) => (await deleteOldAgentSessions(tx, organizationId, old(now), BATCH)) === BATCH,
};
