import type { EvidenceProof, TrustIdentity, TrustKey } from '@svc/contract/risk/trust/trust-shapes.ts';
import type { EvidenceFormat, EvidenceKind } from '@svc/contract/risk/trust/vocabulary.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { canonicalJson } from '@svc/domain/events/canonical-json.ts';
import { type EvidenceClaims, NO_CLAIMS, type ReadClaims } from '@svc/domain/risk/trust/evidence-claims.ts';
import { matchIdentity } from '@svc/domain/risk/trust/match-identity.ts';
import { readStatement } from '@svc/domain/risk/trust/read-statement.ts';
import { isObject, readStrictJson } from '@svc/domain/risk/trust/read-strict-json.ts';
import { readTokenClaims } from '@svc/domain/risk/trust/read-token-claims.ts';
import { sha256Hex } from '@svc/keyring/bytes/sha256-hex.ts';
import { type ProviderKey, readProviderKey } from '@svc/keyring/evidence/provider-key.ts';
import { readTrustedRoot } from '@svc/keyring/evidence/trusted-root.ts';
import { verifyBundle } from '@svc/keyring/evidence/verify-bundle.ts';
import { type Envelope, verifyEnvelope } from '@svc/keyring/evidence/verify-envelope.ts';
import { verifyDetachedSignature, verifyToken } from '@svc/keyring/evidence/verify-token.ts';

const { trust } = LIMITS;

/** A document whose signature and signing identity are verified. */
export type VerifiedDocument = {
  readonly claims: EvidenceClaims;
  readonly proof: EvidenceProof;
  readonly isExact: boolean;
  /** SHA-256 in hex of what was signed. */
  readonly signedHash: string;
};

type FailedCheck = { readonly check: 'DOCUMENT' | 'SIGNATURE' | 'IDENTITY'; readonly fault: string };
export type ReadEvidence = VerifiedDocument | FailedCheck;

export type DocumentProvider = {
  readonly keys: readonly TrustKey[];
  readonly identities: readonly TrustIdentity[];
  readonly trusted_root: Readonly<Record<string, unknown>> | null;
};

const failed = (check: FailedCheck['check'], fault: string): FailedCheck => ({ check, fault });

const NO_PROOF: EvidenceProof = { key: null, identity: null, log_index: null, signed_at: null, statement_type: null };
const STATEMENT_TYPE = 'application/vnd.in-toto+json';

const parseKeys = ({ keys }: DocumentProvider): readonly ProviderKey[] =>
  keys.flatMap((jwk) => {
    const read = readProviderKey(jwk);
    return read.ok ? [read.key] : [];
  });

type SignedBytes = { readonly signed: Buffer; readonly proof: EvidenceProof; readonly isExact: boolean };

const describeDocument = (read: ReadClaims, { signed, proof, isExact }: SignedBytes): ReadEvidence =>
  'fault' in read
    ? failed('DOCUMENT', read.fault)
    : { claims: read.claims, proof: { ...proof, statement_type: read.claims.statementType }, isExact, signedHash: sha256Hex(signed) };

/** Reads the signed statement of an envelope. Its type is signed too, so that a document with another purpose is refused. */
const readPayload = (payloadType: string, payload: Buffer): ReadClaims => {
  if (payloadType !== STATEMENT_TYPE) return { fault: `The payload must be of the type ${STATEMENT_TYPE}.` };
  const json = readStrictJson(payload.toString('utf8'));
  return 'fault' in json ? { fault: `The statement ${json.fault}.` } : readStatement(json.value);
};

const readToken = async (document: string, provider: DocumentProvider): Promise<ReadEvidence> => {
  const verified = await verifyToken(document.trim(), parseKeys(provider));
  if ('fault' in verified) return failed('SIGNATURE', verified.fault);
  const json = readStrictJson(verified.payload.toString('utf8'));
  const read = 'fault' in json ? { fault: `The payload ${json.fault}.` } : readTokenClaims(json.value);
  return describeDocument(read, { signed: verified.signed, proof: { ...NO_PROOF, key: verified.kid }, isExact: false });
};

type CardSignature = { readonly protected: string; readonly signature: string };

const isSignature = (value: unknown): value is CardSignature =>
  isObject(value) && typeof value.protected === 'string' && typeof value.signature === 'string';

/** Reads an agent card of Agent2Agent: signatures over its canonical form without them. It names no agent, so its digest binds it. */
const readCard = async (card: Readonly<Record<string, unknown>>, provider: DocumentProvider): Promise<ReadEvidence> => {
  const { signatures, ...signed } = card;
  if (!Array.isArray(signatures) || signatures.length === 0 || signatures.length > trust.signaturesMax || !signatures.every(isSignature))
    return failed('DOCUMENT', `The card must have 1 to ${trust.signaturesMax} signatures.`);
  const text = canonicalJson(signed);
  const keys = parseKeys(provider);
  let fault = 'No signature is by a key of the provider.';
  for (const signature of signatures) {
    const verified = await verifyDetachedSignature(signature, text, keys);
    if ('fault' in verified) {
      fault = verified.fault;
      continue;
    }
    const claims = { ...NO_CLAIMS, kind: 'agent_card' as EvidenceKind, artifacts: [sha256Hex(verified.signed)] };
    return describeDocument({ claims }, { signed: verified.signed, proof: { ...NO_PROOF, key: verified.kid }, isExact: false });
  }
  return failed('SIGNATURE', fault);
};

const asEnvelope = (value: unknown): Envelope | undefined => {
  if (!isObject(value)) return undefined;
  const { payloadType, payload, signatures } = value;
  if (typeof payloadType !== 'string' || typeof payload !== 'string' || !Array.isArray(signatures)) return undefined;
  const isSound = signatures.length > 0 && signatures.length <= trust.signaturesMax;
  return isSound && signatures.every((each) => isObject(each) && typeof each.sig === 'string')
    ? { payloadType, payload, signatures }
    : undefined;
};

const readEnvelope = (value: unknown, provider: DocumentProvider): ReadEvidence => {
  const envelope = asEnvelope(value);
  if (envelope === undefined)
    return failed('DOCUMENT', `The document must be a DSSE envelope with 1 to ${trust.signaturesMax} signatures.`);
  const verified = verifyEnvelope(envelope, parseKeys(provider));
  if ('fault' in verified) return failed('SIGNATURE', verified.fault);
  const proof = { ...NO_PROOF, key: verified.kid };
  return describeDocument(readPayload(envelope.payloadType, verified.payload), { signed: verified.signed, proof, isExact: false });
};

const readBundle = (value: unknown, { trusted_root, identities }: DocumentProvider): ReadEvidence => {
  const read = readTrustedRoot(trusted_root, trust.authoritiesMax);
  if ('fault' in read) return failed('SIGNATURE', `The trusted root of the provider ${read.fault}.`);
  const verified = verifyBundle(value, read.root, trust.signaturesMax);
  if ('fault' in verified) return failed('SIGNATURE', verified.fault);
  const match = matchIdentity(identities, verified.identity);
  if (match === undefined) {
    const { issuer, subject } = verified.identity;
    return failed('IDENTITY', `The provider has no identity ${subject.slice(0, 300)} of ${issuer.slice(0, 300)}.`);
  }
  const { signedAt } = verified;
  const proof: EvidenceProof = {
    ...NO_PROOF,
    identity: { ...verified.identity, is_exact: match.isExact },
    log_index: verified.logIndex,
    signed_at: signedAt === null ? null : new Date(signedAt).toISOString(),
  };
  const payload = readPayload(verified.payloadType, verified.payload);
  const dated = 'fault' in payload ? payload : { claims: { ...payload.claims, issuedAt: signedAt ?? undefined } };
  return describeDocument(dated, { signed: verified.signed, proof, isExact: match.isExact });
};

/** Reads and verifies a signed document of a format with the keys or identities of a provider. */
export const readDocument = async (
  format: Exclude<EvidenceFormat, 'NONE'>,
  document: string,
  provider: DocumentProvider,
): Promise<ReadEvidence> => {
  const isCard = format === 'JWS' && document.trimStart().startsWith('{');
  if (format === 'JWS' && !isCard) return readToken(document, provider);
  const json = readStrictJson(document);
  if ('fault' in json) return failed('DOCUMENT', `The document ${json.fault}.`);
  if (!isObject(json.value)) return failed('DOCUMENT', 'The document must be a JSON object.');
  if (isCard) return readCard(json.value, provider);
  return format === 'DSSE' ? readEnvelope(json.value, provider) : readBundle(json.value, provider);
};
