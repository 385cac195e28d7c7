import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
import { certificateDigest } from '@svc/operations/tenancy/organization/certificate-digest.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { completeCertificate, eraseSome, findEndedOrganizations } from '@svc/postgres/tenancy/organization/erase-organization.ts';
import type { Job } from './job.ts';

const ROWS_MAX = 1_000;

/**
 * Removes organizations whose time of grace is over: everything that is theirs but the sealed audit, and people who belong to no other. What
 * was removed is certified, and the last event of the record tells so.
 */
export const deleteOrganizationsBy = (rowsMax: number): Job<ClockEvent<'delete-organizations'>> => ({
  name: 'delete-organizations',
  everyMs: 10_000,
  findOrganizations: findEndedOrganizations,
  step: async ({ tx, emit }, organizationId, now) => {
    const erased = await eraseSome(tx, organizationId, { rowsMax, now });
    if (erased === undefined) return false;
    if (!erased.isGone) return true;
    const digest = certificateDigest({ ...erased.deletion, completed_at: now.toISOString() });
    await completeCertificate(tx, organizationId, digest, now);
    const data = { after: { deleted: true }, counts: erased.deletion.counts, certificate: digest };
    emit('organization.updated', { ...about.organization({ id: organizationId }), severity: 'critical', data });
    return false;
  },
});

export const deleteOrganizations = deleteOrganizationsBy(ROWS_MAX);
