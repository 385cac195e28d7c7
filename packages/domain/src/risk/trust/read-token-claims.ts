import { EVIDENCE_KINDS, EVIDENCE_RESULTS, type EvidenceKind, type EvidenceResult } from '@svc/contract/risk/trust/vocabulary.ts';
import { NO_CLAIMS, type ReadClaims } from './evidence-claims.ts';
import { isObject } from './read-strict-json.ts';

const SECONDS_MAX = 253_402_300_799;
const isSeconds = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= SECONDS_MAX;
const isText = (value: unknown): value is string => typeof value === 'string' && value.length > 0 && value.length <= 500;

const TIMES = ['iat', 'nbf', 'exp'] as const;
const toMs = (seconds: unknown): number | undefined => (isSeconds(seconds) ? Math.floor(seconds * 1_000) : undefined);

/**
 * Reads the claims of a signed token: `sub` and `cnf.jkt` name the agent, `evidence_kind` and `result` what is stated, `iat`, `nbf` and `exp` when.
 * A token that states no kind is an attestation.
 */
export const readTokenClaims = (payload: unknown): ReadClaims => {
  if (!isObject(payload)) return { fault: 'The payload of the token must be an object.' };
  const { sub, cnf, evidence_kind = 'attestation', result = null } = payload;
  const time = TIMES.find((name) => payload[name] !== undefined && !isSeconds(payload[name]));
  if (time !== undefined) return { fault: `The claim ${time} must be a number of seconds.` };
  if (payload.exp === undefined) return { fault: 'The token must expire (claim exp).' };
  if (sub !== undefined && !isText(sub)) return { fault: 'The claim sub must be a text.' };
  if (cnf !== undefined && !(isObject(cnf) && isText(cnf.jkt))) return { fault: 'The claim cnf must have jkt, the thumbprint of a key.' };
  if (!EVIDENCE_KINDS.includes(evidence_kind as EvidenceKind)) return { fault: 'The claim evidence_kind is not a kind of evidence.' };
  if (result !== null && !EVIDENCE_RESULTS.includes(result as EvidenceResult))
    return { fault: 'The claim result must be PASSED or FAILED.' };
  return {
    claims: {
      ...NO_CLAIMS,
      kind: evidence_kind as EvidenceKind,
      result: result as EvidenceResult | null,
      agent: sub,
      key: isObject(cnf) ? (cnf.jkt as string) : undefined,
      issuedAt: toMs(payload.iat),
      notBefore: toMs(payload.nbf),
      expiresAt: toMs(payload.exp),
    },
  };
};
