import type { TrustProvider } from '@svc/contract/risk/trust/trust-shapes.ts';
import { canonicalJson } from '@svc/domain/events/canonical-json.ts';
import { sha256Hex } from '@svc/keyring/bytes/sha256-hex.ts';
import type { TrustProviderRow } from '@svc/postgres/risk/trust/trust-providers.ts';

/** Formats a provider for the API. Only the digest of its trusted root is shown. */
export const asTrustProvider = (row: TrustProviderRow): TrustProvider => {
  const { organization_id: _, is_revoking: __, trusted_root, ...shown } = row;
  return {
    ...shown,
    trusted_root_sha256: trusted_root === null ? null : sha256Hex(canonicalJson(trusted_root)),
    status: row.disabled_at === null ? 'ACTIVE' : 'DISABLED',
  };
};

/** Formats a provider for events. */
export const formatProviderForAudit = (row: TrustProviderRow) => {
  const { name, kind, keys, identities, evidence_kinds, max_level, independent, status, trusted_root_sha256 } = asTrustProvider(row);
  const key_ids = keys.map(({ kid }) => kid ?? null);
  return { name, kind, key_ids, identities, evidence_kinds, max_level, independent, status, trusted_root_sha256 };
};
