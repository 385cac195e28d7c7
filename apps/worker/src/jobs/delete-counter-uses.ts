import { deleteOldCounterUses, findOrganizationsWithOldCounterUses } from '@svc/postgres/actions/actions/old-counter-uses.ts';
import type { Job } from './job.ts';

const BATCH = 1_000;

/** Deletes uses that are older than the window of any limit. */
export const deleteCounterUses: Job = {
  name: 'delete-counter-uses',
  everyMs: 60_000,
  findOrganizations: findOrganizationsWithOldCounterUses,
  step: async ({ tx }, organizationId, now) => (await deleteOldCounterUses(tx, organizationId, now, BATCH)) === BATCH,
};
