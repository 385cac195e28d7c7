type ProofRow = {
  /** True if it can begin a sign-in, and if it is a second factor by itself. */
  readonly isFirst: boolean;
  readonly isSecond: boolean;
  /** Vouched for by an organization, so it counts in no other. */
  readonly ofOneOrganization?: true;
};

/** Proofs of a sign-in (RFC 8176, Authentication Method Reference). */
export const PROOFS = {
  PASSWORD: { isFirst: true, isSecond: false },
  /** A code that was mailed to the address of the account. */
  MAIL_CODE: { isFirst: true, isSecond: false },
  /** The organization's identity provider. */
  SSO: { isFirst: true, isSecond: false, ofOneOrganization: true },
  /** The same, if the provider states in its assertion that it required a second factor. */
  SSO_MFA: { isFirst: true, isSecond: true, ofOneOrganization: true },
  TOTP: { isFirst: false, isSecond: true },
  /** With user verification, so that it replaces a password too. */
  PASSKEY: { isFirst: true, isSecond: true },
  RECOVERY_CODE: { isFirst: false, isSecond: true },
  /** Approval from another session of the same person, with a second factor. */
  DEVICE: { isFirst: false, isSecond: true },
} as const satisfies Record<string, ProofRow>;

export type Proof = keyof typeof PROOFS;

export const PROOF_NAMES = Object.keys(PROOFS) as readonly Proof[];

export const SECOND_FACTORS: readonly Proof[] = PROOF_NAMES.filter((proof) => PROOFS[proof].isSecond);

export const hasSecondFactor = (proofs: readonly Proof[]): boolean => proofs.some((proof) => PROOFS[proof].isSecond);

/** The proofs of a session, and those that count in its organization only, because its identity provider vouched for them. */
export type SessionProofs = { readonly amr: readonly Proof[]; readonly vouchedAmr: readonly Proof[] };

/** Returns the proofs that belong to the person, in any organization. */
export const ownProofs = ({ amr, vouchedAmr }: SessionProofs): Proof[] =>
  amr.filter((proof) => !('ofOneOrganization' in PROOFS[proof]) && !vouchedAmr.includes(proof));

/** Returns the proofs that count in another organization of the person; none if a sign-in cannot begin with any of them. */
export const listProofsElsewhere = (evidence: SessionProofs): Proof[] => {
  const own = ownProofs(evidence);
  return own.some((proof) => PROOFS[proof].isFirst) ? own : [];
};

/** Ways to meet the challenge of a sign-in. */
export const FACTOR_METHODS = ['TOTP', 'PASSKEY', 'RECOVERY_CODE', 'DEVICE'] as const satisfies readonly Proof[];
export type FactorMethod = (typeof FACTOR_METHODS)[number];

/** Factors that a person can enrol. */
export const FACTOR_KINDS = ['TOTP', 'PASSKEY'] as const satisfies readonly FactorMethod[];
export type FactorKind = (typeof FACTOR_KINDS)[number];
