import type { TrustEvidence } from '@svc/contract/risk/trust/trust-shapes.ts';
import { getEvidenceStatus } from '@svc/domain/risk/trust/evidence-status.ts';
import type { TrustEvidenceRow } from '@svc/postgres/risk/trust/trust-evidence.ts';

/** Formats a piece of evidence for the API at a time. */
export const asTrustEvidence = (row: TrustEvidenceRow, now: Date): TrustEvidence => {
  const { id, agent_id, workspace_id, environment_id, provider_id, kind, format, result, level, bound_by, bound_to, proof, note } = row;
  const { issued_at, expires_at, created_at, revoked_at, revoked_by, revoked_reason } = row;
  return {
    ...{ id, agent_id, workspace_id, environment_id, provider_id, kind, format, result, level, lowers: row.is_lowering },
    status: getEvidenceStatus({ revoked: row.is_revoked, is_bound: row.is_bound, expires_at }, now),
    ...{ bound_by, bound_to, proof, document_sha256: row.document_hash, note, issued_at, expires_at },
    ...{ added_by: row.added_by_id, created_at, revoked_at, revoked_by, revoked_reason },
  };
};

/** Formats a piece of evidence for events. */
export const formatEvidenceForAudit = ({
  agent_id,
  provider_id,
  kind,
  level,
  result,
  expires_at,
  document_hash,
  is_lowering,
}: TrustEvidenceRow) => ({
  ...{ agent_id, provider_id, kind, level, result, lowers: is_lowering, expires_at, document_sha256: document_hash },
});

/** Returns the event data of a revoked piece. */
export const getRevokedChange = (
  row: TrustEvidenceRow,
  { now, by, reason }: { readonly now: Date; readonly by: string; readonly reason: string },
) => ({
  before: { status: asTrustEvidence(row, now).status, revoked_at: null, revoked_by: null, revoked_reason: null },
  after: { status: 'REVOKED', revoked_at: now.toISOString(), revoked_by: by, revoked_reason: reason },
});
