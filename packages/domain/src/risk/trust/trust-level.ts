import type { EvidenceKind } from '@svc/contract/risk/trust/vocabulary.ts';

/** Evidence as decisions read it. */
export type EvidenceFacts = {
  readonly id: string;
  readonly provider_id: string;
  readonly kind: EvidenceKind;
  readonly level: number;
  readonly is_lowering: boolean;
  /** False if the agent no longer has the key or the artifact that it is about. */
  readonly is_bound: boolean;
  readonly issued_at: string;
  readonly expires_at: string;
};

export type Trust = { readonly level: number; readonly is_lowered: boolean; readonly kinds: readonly EvidenceKind[] };

const LOWERED_MAX = 1;

/** True if a piece counts at a time: bound, not expired, and of a provider that is not disabled. */
export const counts = (piece: EvidenceFacts, now: Date, disabled: ReadonlySet<string>): boolean =>
  piece.is_bound && !disabled.has(piece.provider_id) && Date.parse(piece.expires_at) > now.getTime();

/** Evidence that counts; what lowers the level is left out, since it supports nothing. */
export const supporting = (pieces: readonly EvidenceFacts[]): readonly EvidenceFacts[] =>
  pieces.filter(({ is_lowering, level }) => !is_lowering && level > 0);

/** Trust in an agent by the evidence that counts: the largest level, at most 1 while a failed result or an open vulnerability counts. */
export const computeTrust = (pieces: readonly EvidenceFacts[]): Trust => {
  const support = supporting(pieces);
  const is_lowered = pieces.some((piece) => piece.is_lowering);
  const level = support.reduce((most, piece) => Math.max(most, piece.level), 0);
  return {
    level: is_lowered ? Math.min(level, LOWERED_MAX) : level,
    is_lowered,
    kinds: [...new Set(support.map(({ kind }) => kind))].sort(),
  };
};

/** Level that the proof of a piece allows. */
export const getProvenLevel = (proof: {
  readonly format: 'NONE' | 'JWS' | 'DSSE' | 'SIGSTORE_BUNDLE';
  /** For NONE: false if the person registered the agent or created a key of it. */
  readonly isOutsider: boolean;
  readonly isIndependent: boolean;
  /** For a bundle: true if its identity matched exactly. */
  readonly isExact: boolean;
}): number => {
  if (proof.format === 'NONE') return proof.isOutsider ? 2 : 1;
  if (proof.format === 'SIGSTORE_BUNDLE') return proof.isExact ? 4 : 3;
  return proof.isIndependent ? 4 : 3;
};
