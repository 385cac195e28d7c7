import type { EvidenceKind, EvidenceResult } from '@svc/contract/risk/trust/vocabulary.ts';

/** Claims of a verified document of any format. Times are milliseconds. */
export type EvidenceClaims = {
  readonly kind: EvidenceKind;
  readonly result: EvidenceResult | null;
  /** An open vulnerability. */
  readonly isVulnerable: boolean;
  /** Id of the agent that it names. */
  readonly agent: string | undefined;
  /** Thumbprint of the key that it names. */
  readonly key: string | undefined;
  /** SHA-256 digests in hex of the artifacts that it names. */
  readonly artifacts: readonly string[];
  readonly statementType: string | null;
  readonly issuedAt: number | undefined;
  readonly notBefore: number | undefined;
  readonly expiresAt: number | undefined;
};

export type ReadClaims = { readonly claims: EvidenceClaims } | { readonly fault: string };

export const NO_CLAIMS = {
  result: null,
  isVulnerable: false,
  agent: undefined,
  key: undefined,
  artifacts: [],
  statementType: null,
  issuedAt: undefined,
  notBefore: undefined,
  expiresAt: undefined,
} as const satisfies Omit<EvidenceClaims, 'kind'>;
