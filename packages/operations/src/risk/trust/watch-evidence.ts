import { LIMITS } from '@svc/contract/tables/limits.ts';
import { nextNotice } from '@svc/domain/risk/trust/evidence-status.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import {
  revokeEvidenceRows,
  setNoticeDue,
  type TrustEvidenceRow,
  takeDueEvidence,
  takeEvidenceOfProvider,
} from '@svc/postgres/risk/trust/trust-evidence.ts';
import { endRevoking, findRevokingProvider } from '@svc/postgres/risk/trust/trust-providers.ts';
import { formatEvidenceForAudit, getRevokedChange } from './as-trust-evidence.ts';

type Watched = Change<'trust.evidence_expiring' | 'trust.evidence_expired' | 'trust.evidence_revoked'>;

const { atOnceMax } = LIMITS.trust;

/** Writes the event that is due. If several are late, only the last is written. */
const announce = async ({ tx, emit }: Watched, piece: TrustEvidenceRow, now: Date): Promise<void> => {
  const expires = new Date(piece.expires_at);
  const due = expires > now ? nextNotice(expires, now) : null;
  const type = expires > now ? 'trust.evidence_expiring' : 'trust.evidence_expired';
  emit(type, { ...about.trust_evidence(piece), data: formatEvidenceForAudit(piece) });
  await setNoticeDue(tx, piece.organization_id, piece.id, due);
};

/** Revokes some evidence of a disabled provider. Decisions have not counted it since the provider was disabled. */
const revokeSome = async ({ tx, emit }: Watched, organizationId: string, now: Date): Promise<boolean> => {
  const provider = await findRevokingProvider(tx, organizationId);
  if (provider === undefined) return false;
  const pieces = await takeEvidenceOfProvider(tx, organizationId, provider.id, now, atOnceMax);
  const by = provider.disabled_by ?? '';
  const reason = `The provider was disabled: ${provider.disabled_reason ?? ''}`;
  await revokeEvidenceRows(
    tx,
    organizationId,
    pieces.map(({ id }) => id),
    { now, by, reason },
  );
  for (const piece of pieces) {
    // Decisions have counted it as revoked since the provider was disabled.
    const change = getRevokedChange({ ...piece, is_revoked: false }, { now, by, reason });
    emit('trust.evidence_revoked', { ...about.trust_evidence(piece), data: { ...formatEvidenceForAudit(piece), reason, ...change } });
  }
  if (pieces.length < atOnceMax) await endRevoking(tx, organizationId, provider.id);
  return true;
};

/** Announces evidence that expires soon or expired, and revokes that of disabled providers. Returns true while there is more to do. */
export const watchEvidence = async (change: Watched, organizationId: string, now: Date): Promise<boolean> => {
  const isRevoking = await revokeSome(change, organizationId, now);
  const due = await takeDueEvidence(change.tx, organizationId, now, atOnceMax);
  for (const piece of due) await announce(change, piece, now);
  return isRevoking || due.length === atOnceMax;
};
