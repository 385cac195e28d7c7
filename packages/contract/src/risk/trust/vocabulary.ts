/** Kinds of evidence about an agent. */
export const EVIDENCE_KINDS = [
  ...(['attestation', 'security_review', 'certificate', 'test_result', 'provenance', 'sbom', 'vex'] as const),
  ...(['agent_card', 'model_card'] as const),
] as const;
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

/** Proof that a provider gives: signatures by registered keys, bundles of a signing service, or the statement of a person. */
export const PROVIDER_KINDS = ['KEYS', 'SIGSTORE', 'MANUAL'] as const;
export type TrustProviderKind = (typeof PROVIDER_KINDS)[number];

export const PROVIDER_STATUSES = ['ACTIVE', 'DISABLED'] as const;

export const EVIDENCE_FORMATS = ['NONE', 'JWS', 'DSSE', 'SIGSTORE_BUNDLE'] as const;
export type EvidenceFormat = (typeof EVIDENCE_FORMATS)[number];

export const EVIDENCE_RESULTS = ['PASSED', 'FAILED'] as const;
export type EvidenceResult = (typeof EVIDENCE_RESULTS)[number];

/** Only VALID and EXPIRING evidence counts. */
export const EVIDENCE_STATUSES = ['VALID', 'EXPIRING', 'EXPIRED', 'REVOKED', 'UNBOUND'] as const;
export type EvidenceStatus = (typeof EVIDENCE_STATUSES)[number];

/** How a document names the agent. */
export const EVIDENCE_BINDINGS = ['AGENT_ID', 'AGENT_KEY', 'ARTIFACT'] as const;
export type EvidenceBinding = (typeof EVIDENCE_BINDINGS)[number];

/** The checks of a verification, in their order. The first that fails ends it. */
export const EVIDENCE_CHECKS = ['PROVIDER', 'DOCUMENT', 'SIGNATURE', 'IDENTITY', 'KIND', 'BINDING', 'TIME', 'LEVEL'] as const;
export type EvidenceCheckName = (typeof EVIDENCE_CHECKS)[number];
