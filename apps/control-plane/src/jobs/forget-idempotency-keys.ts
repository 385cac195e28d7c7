import { LIMITS } from '@svc/contract/tables/limits.ts';
import { findOrganizationsWithOldIdempotencyKeys, forgetOldIdempotencyKeys } from '@svc/postgres/change/old-idempotency-keys.ts';
import type { Job } from './job.ts';

const BATCH = 1_000;

const before = (now: Date): Date => new Date(now.getTime() - LIMITS.idempotency.retentionSeconds * 1000);

/** Forgets keys after the time in which a repeated request gets the first answer again. */
export const forgetIdempotencyKeys: Job = {
  name: 'forget-idempotency-keys',
  everyMs: 60_000,
  findOrganizations: (identity, now) => findOrganizationsWithOldIdempotencyKeys(identity, before(now)),
  step: async ({ tx }, organizationId, now) => (await forgetOldIdempotencyKeys(tx, organizationId, before(now), BATCH)) === BATCH,
};
