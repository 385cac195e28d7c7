import type { TrustRequirement } from '@svc/contract/risk/trust/trust-shapes.ts';
import type { EvidenceKind } from '@svc/contract/risk/trust/vocabulary.ts';
import { computeTrust, type EvidenceFacts, supporting } from './trust-level.ts';

const DAY_MS = 86_400_000;

export type Shortfall = { readonly level: number; readonly missing_kinds: readonly EvidenceKind[]; readonly is_lowered: boolean };

const youngEnough = (pieces: readonly EvidenceFacts[], days: number | undefined, now: Date): readonly EvidenceFacts[] => {
  if (days === undefined) return pieces;
  const from = now.getTime() - days * DAY_MS;
  // A failed result lowers the level at any age.
  return pieces.filter((piece) => piece.is_lowering || Date.parse(piece.issued_at) >= from);
};

/**
 * Returns how far valid evidence falls short of a requirement; undefined if it suffices. Each required kind must have the required level,
 * so that a person's statement does not replace a signed document.
 */
export const findShortfall = (requirement: TrustRequirement, counting: readonly EvidenceFacts[], now: Date): Shortfall | undefined => {
  const pieces = youngEnough(counting, requirement.max_age_days, now);
  const { level, is_lowered } = computeTrust(pieces);
  const least = requirement.level ?? 1;
  const held = new Set(supporting(pieces).flatMap((piece) => (piece.level >= least ? [piece.kind] : [])));
  const missing_kinds = (requirement.evidence ?? []).filter((kind) => !held.has(kind));
  return level >= least && missing_kinds.length === 0 ? undefined : { level, missing_kinds, is_lowered };
};

/** Returns sentences about the missing evidence. */
export const listShortfallTexts = (requirement: TrustRequirement, { level, missing_kinds, is_lowered }: Shortfall): readonly string[] => {
  const least = requirement.level ?? 1;
  const age = requirement.max_age_days === undefined ? '' : `, issued in the last ${requirement.max_age_days} days`;
  const low = level < least ? [`The trust level is ${level}, and ${least} is required${age}.`] : [];
  const lowered =
    is_lowered && level < least
      ? ['A failed result or an open vulnerability keeps the level at 1 or 0 until it is revoked or expires.']
      : [];
  const missing = missing_kinds.map((kind) => `Evidence of the kind ${kind} at level ${least} or higher is missing${age}.`);
  return [...low, ...lowered, ...missing];
};

/** True if `after` admits an agent that `before` does not. */
export const loosensRequirement = (before: TrustRequirement | null, after: TrustRequirement | null): boolean => {
  if (before === null) return false;
  if (after === null) return true;
  const kinds = new Set(after.evidence ?? []);
  return (
    (after.level ?? 1) < (before.level ?? 1) ||
    (before.evidence ?? []).some((kind) => !kinds.has(kind)) ||
    (before.max_age_days !== undefined && (after.max_age_days === undefined || after.max_age_days > before.max_age_days))
  );
};

/** Spells a requirement in one way: kinds in order and once, a level that is always there, nothing that requires nothing. */
export const tidyRequirement = ({ level, evidence, max_age_days }: TrustRequirement): TrustRequirement => ({
  level: level ?? 1,
  ...(evidence === undefined ? {} : { evidence: [...new Set(evidence)].sort() }),
  ...(max_age_days === undefined ? {} : { max_age_days }),
});
