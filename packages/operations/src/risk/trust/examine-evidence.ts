import type { EvidenceCheck, EvidenceProof, NewTrustEvidence } from '@svc/contract/risk/trust/trust-shapes.ts';
import { EVIDENCE_CHECKS, type EvidenceBinding, type EvidenceCheckName, type EvidenceResult } from '@svc/contract/risk/trust/vocabulary.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { bindEvidence } from '@svc/domain/risk/trust/bind-evidence.ts';
import type { EvidenceClaims } from '@svc/domain/risk/trust/evidence-claims.ts';
import { NO_CLAIMS } from '@svc/domain/risk/trust/evidence-claims.ts';
import { getProvenLevel } from '@svc/domain/risk/trust/trust-level.ts';
import type { EventActor } from '@svc/postgres/change/change.ts';
import type { TrustProviderRow } from '@svc/postgres/risk/trust/trust-providers.ts';
import type { TrustedAgent } from '@svc/postgres/risk/trust/trust-requirements.ts';
import { type ReadEvidence, readDocument, type VerifiedDocument } from './read-document.ts';

const { trust } = LIMITS;

export type AcceptedEvidence = {
  readonly result: EvidenceResult | null;
  readonly level: number;
  readonly is_lowering: boolean;
  readonly bound_by: EvidenceBinding;
  readonly bound_to: string | null;
  readonly proof: EvidenceProof;
  /** Undefined for the statement of a person, which may be made again. */
  readonly signedHash: string | undefined;
  readonly issued_at: Date;
  readonly expires_at: Date;
};

/** The checks that were made; without `accepted` the last one failed. */
export type Examination = { readonly checks: readonly EvidenceCheck[]; readonly accepted?: AcceptedEvidence };

export type Examining = {
  readonly body: NewTrustEvidence;
  readonly provider: TrustProviderRow;
  readonly actor: EventActor;
  readonly now: Date;
};

const PASSED: Readonly<Record<EvidenceCheckName, string>> = {
  PROVIDER: 'The provider is active and gives this kind of evidence.',
  DOCUMENT: 'The document can be read.',
  SIGNATURE: 'The signature is genuine.',
  IDENTITY: 'The signer is registered.',
  KIND: 'The document is of this kind.',
  BINDING: 'The document is about this agent.',
  TIME: 'The document is current.',
  LEVEL: 'The level follows from the proof.',
};

/** Returns all checks before the one that failed, and that one. */
const failedAt = (check: EvidenceCheckName, explanation: string): Examination => ({
  checks: EVIDENCE_CHECKS.slice(0, EVIDENCE_CHECKS.indexOf(check) + 1).map((each) =>
    each === check ? { check, ok: false, explanation } : { check: each, ok: true, explanation: PASSED[each] },
  ),
});

const providerFault = ({ body, provider, actor }: Examining): string | undefined => {
  const formats = { KEYS: ['JWS', 'DSSE'], SIGSTORE: ['SIGSTORE_BUNDLE'], MANUAL: ['NONE'] }[provider.kind];
  if (provider.disabled_at !== null) return 'The provider is disabled.';
  if (!provider.evidence_kinds.includes(body.kind)) return `The provider does not give evidence of the kind ${body.kind}.`;
  if (!formats.includes(body.format)) return `Evidence of this provider has the format ${formats.join(' or ')}.`;
  return body.format === 'NONE' && actor.type !== 'USER' ? 'The statement of a person is made by a person, not by an API key.' : undefined;
};

/** Returns a statement of a person about the agent that it is made for. */
const statement = ({ id }: TrustedAgent, { kind, result }: NewTrustEvidence): VerifiedDocument => ({
  claims: { ...NO_CLAIMS, kind, result: result ?? null, agent: id },
  proof: { key: null, identity: null, log_index: null, signed_at: null, statement_type: null },
  isExact: false,
  signedHash: '',
});

/** Reads and verifies the document before anything is locked: it takes milliseconds. */
export const examineDocument = async ({ body, provider }: Examining): Promise<ReadEvidence | undefined> => {
  const { format, document = '' } = body;
  return format === 'NONE' ? undefined : await readDocument(format, document, provider);
};

const resultFault = (stated: EvidenceResult | null, asked: EvidenceResult | undefined): string | undefined =>
  stated !== null && asked !== undefined && stated !== asked ? `The document states the result ${stated}, not ${asked}.` : undefined;

const timeFault = ({ notBefore, issuedAt, expiresAt }: EvidenceClaims, now: Date): string | undefined => {
  const latest = now.getTime() + trust.clockSkewMs;
  if (notBefore !== undefined && notBefore > latest) return 'The document is not valid yet (nbf).';
  if (issuedAt !== undefined && issuedAt > latest) return 'The document was issued in the future.';
  return expiresAt !== undefined && expiresAt <= now.getTime() ? 'The document has expired (exp).' : undefined;
};

/** Judges a verified document for an agent. The agent must be locked if the verdict is stored. */
export const judgeEvidence = (request: Examining, read: ReadEvidence | undefined, agent: TrustedAgent): Examination => {
  const { body, provider, actor, now } = request;
  const unfit = providerFault(request);
  if (unfit !== undefined) return failedAt('PROVIDER', unfit);
  const document = read ?? statement(agent, body);
  if ('fault' in document) return failedAt(document.check, document.fault);
  const { claims } = document;
  if (claims.kind !== body.kind) return failedAt('KIND', `The document is evidence of the kind ${claims.kind}, not ${body.kind}.`);
  const wrongResult = resultFault(claims.result, body.result);
  if (wrongResult !== undefined) return failedAt('KIND', wrongResult);
  const bound = bindEvidence(claims, agent);
  if ('fault' in bound) return failedAt('BINDING', bound.fault);
  const badTime = timeFault(claims, now);
  if (badTime !== undefined) return failedAt('TIME', badTime);
  const result = claims.result ?? body.result ?? null;
  const isOutsider = agent.makers.every((maker) => maker !== null && maker !== actor.id);
  const proven = getProvenLevel({ format: body.format, isOutsider, isIndependent: provider.independent, isExact: document.isExact });
  return {
    checks: EVIDENCE_CHECKS.map((check) => ({ check, ok: true, explanation: PASSED[check] })),
    accepted: {
      result,
      level: Math.min(body.level ?? proven, proven, provider.max_level),
      is_lowering: result === 'FAILED' || claims.isVulnerable,
      bound_by: bound.by,
      bound_to: bound.to,
      proof: document.proof,
      signedHash: read === undefined ? undefined : document.signedHash,
      issued_at: new Date(Math.min(claims.issuedAt ?? now.getTime(), now.getTime())),
      expires_at: new Date(Math.min(Date.parse(body.expires_at), claims.expiresAt ?? Number.POSITIVE_INFINITY)),
    },
  };
};
