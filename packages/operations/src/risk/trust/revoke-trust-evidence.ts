import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import {
  findTrustEvidence,
  lockTrustEvidence,
  revokeEvidenceRows,
  type TrustEvidenceRow,
} from '@svc/postgres/risk/trust/trust-evidence.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { formatEvidenceForAudit, getRevokedChange } from './as-trust-evidence.ts';

export type RevokingEvidence = CallContext & {
  readonly evidenceId: string;
  readonly reason: string;
  /** Refuses a caller who may not loosen. Called only if the piece lowers the level of the agent. */
  readonly refuseLoosening: () => Refusal<'STEP_UP_REQUIRED'> | undefined;
};

/** Revokes a piece of evidence. The next decision does not count it. */
export const revokeTrustEvidence = async (
  { tx, emit }: Change<'trust.evidence_revoked'>,
  { scope, actor, now, evidenceId, reason, refuseLoosening }: RevokingEvidence,
): Promise<TrustEvidenceRow | Refusal<'NOT_FOUND' | 'INVALID_STATE_TRANSITION' | 'STEP_UP_REQUIRED'>> => {
  const { organization_id } = scope;
  const piece = await lockTrustEvidence(tx, organization_id, evidenceId);
  if (piece === undefined) return buildRefusal('NOT_FOUND');
  if (piece.revoked_at !== null)
    return buildRefusal('INVALID_STATE_TRANSITION', 'The evidence is revoked already.', {
      operation: 'revoke',
      from: 'REVOKED',
      allowed_from: ['VALID'],
    });
  const refused = piece.is_lowering ? refuseLoosening() : undefined;
  if (refused) return refused;
  await revokeEvidenceRows(tx, organization_id, [evidenceId], { now, by: actor.id, reason });
  emit('trust.evidence_revoked', {
    ...about.trust_evidence(piece),
    ...(piece.is_lowering ? { severity: 'critical' as const } : {}),
    data: { ...formatEvidenceForAudit(piece), reason, ...getRevokedChange(piece, { now, by: actor.id, reason }) },
  });
  return (await findTrustEvidence(tx, organization_id, evidenceId)) ?? buildRefusal('NOT_FOUND');
};
