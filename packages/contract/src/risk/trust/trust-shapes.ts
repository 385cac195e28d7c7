import { type Static, Type } from 'typebox';
import { closedObject, enumSchema, id, jsonObject, name, nullable, timestamp } from '../../rows/schema.ts';
import { LIMITS } from '../../tables/limits.ts';
import {
  EVIDENCE_BINDINGS,
  EVIDENCE_CHECKS,
  EVIDENCE_FORMATS,
  EVIDENCE_KINDS,
  EVIDENCE_RESULTS,
  EVIDENCE_STATUSES,
  PROVIDER_KINDS,
  PROVIDER_STATUSES,
} from './vocabulary.ts';

const { trust } = LIMITS;

export const evidenceKind = enumSchema(EVIDENCE_KINDS);
export const getTrustLevel = (description: string) => Type.Integer({ minimum: 1, maximum: 4, description });
/** Printable ASCII, so that different identities cannot look equal. */
const identityText = (description: string) => Type.String({ minLength: 1, maxLength: 500, pattern: '^[\\x21-\\x7e]+$', description });

export const TrustKey = closedObject(
  {
    kty: enumSchema(['OKP', 'EC', 'RSA']),
    crv: Type.Optional(enumSchema(['Ed25519', 'P-256', 'P-384'])),
    x: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    y: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    n: Type.Optional(Type.String({ minLength: 1, maxLength: 1_400 })),
    e: Type.Optional(Type.String({ minLength: 1, maxLength: 12 })),
    kid: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Default: the RFC 7638 thumbprint.' })),
    alg: Type.Optional(enumSchema(['EdDSA', 'ES256', 'ES384', 'RS256', 'PS256'])),
    use: Type.Optional(Type.Literal('sig')),
  },
  'Public JSON Web Key: Ed25519 (EdDSA), P-256 (ES256), P-384 (ES384) or RSA of at least 2048 bits (RS256, PS256).',
);
export type TrustKey = Static<typeof TrustKey>;

export const TrustIdentity = closedObject(
  {
    issuer: identityText('Issuer of the identity token that the certificate states.'),
    subject: Type.Optional(identityText('Subject of the certificate, compared exactly.')),
    subject_prefix: Type.Optional(
      identityText('First part of the subject. Ends in / or @, and names a host and an owner. Evidence then has at most level 3.'),
    ),
  },
  'Identity of certificates. Exactly one of subject and subject_prefix.',
);
export type TrustIdentity = Static<typeof TrustIdentity>;

export const evidenceKinds = Type.Array(evidenceKind, { minItems: 1, maxItems: EVIDENCE_KINDS.length, uniqueItems: true });

export const TrustProvider = closedObject({
  id: id('Provider id (trp_).'),
  name: Type.String(),
  kind: enumSchema(PROVIDER_KINDS, 'KEYS: signatures by its keys. SIGSTORE: bundles of a signing service. MANUAL: statements of people.'),
  keys: Type.Array(TrustKey),
  identities: Type.Array(TrustIdentity),
  trusted_root_sha256: nullable(Type.String({ description: 'SHA-256 in hex of the authorities and logs in canonical JSON.' })),
  evidence_kinds: Type.Array(evidenceKind),
  max_level: getTrustLevel('Highest level of its evidence.'),
  independent: Type.Boolean({ description: 'True if no member of the organization holds its key.' }),
  status: enumSchema(PROVIDER_STATUSES),
  created_by: Type.String(),
  created_at: timestamp,
  disabled_at: nullable(timestamp),
  disabled_by: nullable(Type.String()),
  disabled_reason: nullable(Type.String()),
});
export type TrustProvider = Static<typeof TrustProvider>;

export const newProvider = closedObject({
  name: name('Name, unique among the active providers.'),
  kind: TrustProvider.properties.kind,
  keys: Type.Optional(Type.Array(TrustKey, { maxItems: trust.keysMax, description: 'For KEYS: at least one.' })),
  identities: Type.Optional(Type.Array(TrustIdentity, { maxItems: trust.identitiesMax, description: 'For SIGSTORE: at least one.' })),
  trusted_root: Type.Optional(
    jsonObject('For SIGSTORE: certificate authorities and logs, as `cosign trusted-root create` writes them (TrustedRoot).'),
  ),
  evidence_kinds: { ...evidenceKinds, description: 'Kinds that count from this provider.' },
  max_level: getTrustLevel('Highest level of its evidence.'),
  independent: Type.Optional(
    Type.Boolean({ default: false, description: 'True if no member of the organization holds its key. Required for level 4 with KEYS.' }),
  ),
});
export type NewTrustProvider = Static<typeof newProvider>;

export const EvidenceProof = closedObject({
  key: nullable(Type.String({ description: 'The kid of the key that signed.' })),
  identity: nullable(
    closedObject({ issuer: Type.String(), subject: Type.String(), is_exact: Type.Boolean({ description: 'False if a prefix matched.' }) }),
  ),
  log_index: nullable(Type.String({ description: 'Position in the log of the signing service.' })),
  signed_at: nullable({ ...timestamp, description: 'Time that the log or a time stamp proves.' }),
  statement_type: nullable(Type.String({ description: 'Type of the signed statement.' })),
});
export type EvidenceProof = Static<typeof EvidenceProof>;

export const EvidenceCheck = closedObject({
  check: enumSchema(EVIDENCE_CHECKS),
  ok: Type.Boolean(),
  explanation: Type.String({ description: 'Result of the check, and the remedy if it failed.' }),
});
export type EvidenceCheck = Static<typeof EvidenceCheck>;

const evidence = {
  id: id('Evidence id (trv_).'),
  agent_id: Type.String(),
  workspace_id: Type.String(),
  environment_id: Type.String(),
  provider_id: Type.String(),
  kind: evidenceKind,
  format: enumSchema(EVIDENCE_FORMATS),
  result: nullable(enumSchema(EVIDENCE_RESULTS)),
  level: Type.Integer({ minimum: 0, maximum: 4, description: 'Level that it gives while it counts.' }),
  lowers: Type.Boolean({ description: 'True for a failed result or an open vulnerability: the level of the agent is then at most 1.' }),
  status: enumSchema(EVIDENCE_STATUSES, 'UNBOUND: the agent no longer has the key or the artifact. VALID and EXPIRING count.'),
  bound_by: enumSchema(EVIDENCE_BINDINGS),
  bound_to: nullable(Type.String({ description: 'Thumbprint of the key, or digest of the artifact.' })),
  proof: EvidenceProof,
  document_sha256: Type.String({ description: 'SHA-256 in hex of what was signed. A statement is added once for an agent.' }),
  note: Type.String(),
  issued_at: timestamp,
  expires_at: timestamp,
  added_by: Type.String(),
  created_at: timestamp,
  revoked_at: nullable(timestamp),
  revoked_by: nullable(Type.String()),
  revoked_reason: nullable(Type.String()),
};
export const TrustEvidence = closedObject(evidence);
export type TrustEvidence = Static<typeof TrustEvidence>;

export const TrustEvidenceWithDocument = closedObject({
  ...evidence,
  document: nullable(Type.String({ description: 'The signed document as it was sent.' })),
});

export const newEvidence = closedObject({
  agent_id: id('The agent.'),
  provider_id: id('The provider.'),
  kind: evidenceKind,
  format: enumSchema(EVIDENCE_FORMATS, 'NONE: the statement of a person, for a MANUAL provider.'),
  document: Type.Optional(
    Type.String({ minLength: 1, maxLength: trust.documentCharsMax, description: 'The signed document, for every format but NONE.' }),
  ),
  level: Type.Optional(getTrustLevel('Highest level that it gives. By default what its proof allows.')),
  result: Type.Optional(enumSchema(EVIDENCE_RESULTS, 'Result that it states. A FAILED one lowers the level of the agent to at most 1.')),
  expires_at: Type.String({
    maxLength: 30,
    description: `ISO-8601 UTC, milliseconds, trailing Z; within ${trust.expiresInDaysMax} days. A document that expires earlier counts until then.`,
    examples: ['2030-01-31T00:00:00.000Z'],
  }),
  note: Type.Optional(Type.String({ maxLength: 2_000, description: 'For NONE: the statement. Required there.' })),
});
export type NewTrustEvidence = Static<typeof newEvidence>;

export const EvidenceVerdict = closedObject({
  accepted: Type.Boolean(),
  checks: Type.Array(EvidenceCheck),
  level: nullable(Type.Integer({ description: 'Level that it would give; null if it is not accepted.' })),
  expires_at: nullable(timestamp),
});
export type EvidenceVerdict = Static<typeof EvidenceVerdict>;

export const TrustRequirement = closedObject({
  level: Type.Optional(getTrustLevel('Least level of the agent. With evidence, each kind must have it too.')),
  evidence: Type.Optional({ ...evidenceKinds, description: 'Kinds that must be there.' }),
  max_age_days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: trust.expiresInDaysMax, description: 'Evidence that was issued earlier does not count.' }),
  ),
});
export type TrustRequirement = Static<typeof TrustRequirement>;

export const SetRequirement = closedObject({ requires: nullable(TrustRequirement) });

export const AgentTrust = closedObject({
  agent_id: Type.String(),
  level: Type.Integer({ minimum: 0, maximum: 4, description: 'Largest level of the evidence that counts.' }),
  is_lowered: Type.Boolean({ description: 'True while a failed result or an open vulnerability keeps the level at 1 or 0.' }),
  kinds: Type.Array(
    closedObject(
      { kind: evidenceKind, level: Type.Integer({ minimum: 0, maximum: 4 }), expires_at: timestamp },
      'Best evidence of a kind.',
    ),
  ),
  evidence: Type.Array(TrustEvidence, { description: 'Evidence that counts first, then evidence that no longer does; at most 200.' }),
  key_thumbprint: Type.String({ description: 'RFC 7638 thumbprint of the key in use; evidence names it as cnf.jkt.' }),
  artifact_digests: Type.Array(Type.String(), { description: 'SHA-256 digests in hex of what the agent consists of.' }),
  requirements: Type.Array(
    closedObject({
      of: enumSchema(['ENVIRONMENT', 'TOOL']),
      id: Type.String(),
      name: Type.String(),
      requires: TrustRequirement,
      is_met: Type.Boolean(),
      missing: Type.Array(Type.String({ description: 'Missing evidence, a sentence each.' })),
    }),
    { description: 'Requirements of its environment and of the tools that it may use; at most 100.' },
  ),
  next_steps: Type.Array(Type.String(), { description: 'How to raise the level, or to keep it.' }),
  next_expiry_at: nullable(timestamp),
});
export type AgentTrust = Static<typeof AgentTrust>;

export const artifactDigests = Type.Array(Type.String({ pattern: '^[0-9a-f]{64}$', examples: ['0'.repeat(64)] }), {
  maxItems: trust.artifactsMax,
  uniqueItems: true,
  description: 'SHA-256 digests in hex of what the agent consists of, such as its image or its card.',
});
