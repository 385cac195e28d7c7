import { LIMITS } from '@svc/contract/tables/limits.ts';
import { findOrganizationsWithOldIdempotencyKeys, forgetOldIdempotencyKeys } from '@svc/postgres/change/old-idempotency-keys.ts';
import { findOrganizationsWithOldSecrets, forgetOldSecrets } from '@svc/postgres/credentials/old-secrets.ts';
import type { Job } from './job.ts';

const BATCH = 1_000;

const before = (now: Date): Date => new Date(now.getTime() - LIMITS.idempotency.retentionSeconds * 1000);

/** Deletes idempotency keys after their lifetime, and rotated secrets that are no longer accepted. */
export const forgetIdempotencyKeys: Job = {
  name: 'forget-idempotency-keys',
  everyMs: 60_000,
  findOrganizations: async (identity, now) => {
    const withKeys = await findOrganizationsWithOldIdempotencyKeys(identity, before(now));
    return [...new Set([...withKeys, ...(await findOrganizationsWithOldSecrets(identity, now))])];
  },
  step: async ({ tx }, organizationId, now) => {
    const keys = await forgetOldIdempotencyKeys(tx, organizationId, before(now), BATCH);
    const secrets = await forgetOldSecrets(tx, organizationId, now, BATCH);
    return Math.max(keys, secrets) === BATCH;
  },
};
