import { deleteEndedContexts, findOrganizationsWithEndedContexts } from '@svc/postgres/risk/ended-contexts.ts';
import type { Job } from './job.ts';

const BATCH = 1_000;

/** Deletes flow contexts that have ended. */
export const deleteContexts: Job = {
  name: 'delete-contexts',
  everyMs: 60_000,
  findOrganizations: findOrganizationsWithEndedContexts,
  step: async ({ tx }, organizationId) => (await deleteEndedContexts(tx, organizationId, BATCH)) === BATCH,
};
