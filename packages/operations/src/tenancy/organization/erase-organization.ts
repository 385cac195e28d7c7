import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { completeCertificate, eraseSome } from '@svc/postgres/tenancy/organization/erase-organization.ts';
import { getCertificateDigest } from './certificate-digest.ts';

type EraseRequest = { readonly organizationId: string; readonly rowsMax: number; readonly now: Date };

/**
 * Erases a part of an organization whose grace period has ended: everything except the sealed audit log, and people who are in no other
 * organization. The last part completes the deletion certificate and is recorded. Returns true if there is more.
 */
export const eraseOrganization = async (
  { tx, emit }: Change<'organization.updated'>,
  { organizationId, rowsMax, now }: EraseRequest,
): Promise<boolean> => {
  const erased = await eraseSome(tx, organizationId, { rowsMax, now });
  if (erased === undefined) return false;
  if (!erased.isGone) return true;
  const digest = getCertificateDigest({ ...erased.deletion, completed_at: now.toISOString() });
  await completeCertificate(tx, organizationId, digest, now);
  const data = { after: { deleted: true }, counts: erased.deletion.counts, certificate: digest };
  emit('organization.updated', { ...about.organization({ id: organizationId }), severity: 'critical', data });
  return false;
};
