import { sha256Hex } from '@svc/keyring/bytes/sha256-hex.ts';
import type { Deletion } from '@svc/postgres/tenancy/organization/erase-organization.ts';

/**
 * Returns the digest of a deletion certificate: SHA-256 of its canonical JSON (RFC 8785), which for these members is JSON in the order of
 * names.
 */
export const getCertificateDigest = (certificate: Deletion & { readonly completed_at: string }): string => {
  const { asked_at, asked_by, began_at, completed_at, counts, organization_id, reason } = certificate;
  const sorted = Object.fromEntries(Object.entries(counts).sort(([one], [other]) => (one < other ? -1 : 1)));
  return sha256Hex(JSON.stringify({ asked_at, asked_by, began_at, completed_at, counts: sorted, organization_id, reason }));
};
