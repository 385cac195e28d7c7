import type { EvidenceKind, EvidenceResult } from '@svc/contract/risk/trust/vocabulary.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type EvidenceClaims, NO_CLAIMS, type ReadClaims } from './evidence-claims.ts';
import { isObject } from './read-strict-json.ts';

const STATEMENTS = ['https://in-toto.io/Statement/v1', 'https://in-toto.io/Statement/v0.1'];

/** Types of predicates by the kind of evidence that they are. Every other type is an attestation. */
const KINDS: readonly (readonly [RegExp, EvidenceKind])[] = [
  [/^https:\/\/slsa\.dev\/provenance\/v(?:0\.2|1)$/, 'provenance'],
  [/^https:\/\/in-toto\.io\/attestation\/test-result\/v0\.1$/, 'test_result'],
  [/^https:\/\/spdx\.dev\/Document(?:\/v2\.[23])?$/, 'sbom'],
  [/^https:\/\/cyclonedx\.org\/bom(?:\/v1\.[2-7])?$/, 'sbom'],
  [/^https:\/\/openvex\.dev\/ns(?:\/v0\.2\.0)?$/, 'vex'],
];

/** Returns the evidence kind of a predicate type. */
const predicateKind = (type: string): EvidenceKind => KINDS.find(([pattern]) => pattern.test(type))?.[1] ?? 'attestation';

const SHA256 = /^[0-9a-f]{64}$/;

const readSubjects = (subjects: unknown): readonly string[] | undefined => {
  if (!Array.isArray(subjects) || subjects.length === 0 || subjects.length > LIMITS.trust.subjectsMax) return undefined;
  return subjects.flatMap((subject) => {
    const sha256 = isObject(subject) && isObject(subject.digest) ? subject.digest.sha256 : undefined;
    return typeof sha256 === 'string' && SHA256.test(sha256) ? [sha256] : [];
  });
};

const RESULTS: Readonly<Record<string, EvidenceResult>> = { PASSED: 'PASSED', WARNED: 'PASSED', FAILED: 'FAILED' };

/** The result of a test or of a verification; undefined if it cannot be read. */
const readResult = (kind: EvidenceKind, predicate: Readonly<Record<string, unknown>>): EvidenceResult | null | undefined => {
  const stated = kind === 'test_result' ? predicate.result : predicate.verificationResult;
  if (stated === undefined) return kind === 'test_result' ? undefined : null;
  return typeof stated === 'string' && Object.hasOwn(RESULTS, stated) ? RESULTS[stated] : undefined;
};

const readVulnerability = (statement: Readonly<Record<string, unknown>>): string | undefined => {
  const named = isObject(statement.vulnerability)
    ? (statement.vulnerability.name ?? statement.vulnerability['@id'])
    : statement.vulnerability;
  return typeof named === 'string' ? named : undefined;
};

const CLEARED = ['fixed', 'not_affected'];

/**
 * True if a vulnerability is stated as `affected`, and not as fixed or not affected for the same products after that. Undefined if the statements
 * cannot be read.
 */
const isAffected = ({ statements }: Readonly<Record<string, unknown>>): boolean | undefined => {
  if (!Array.isArray(statements) || statements.length > LIMITS.trust.vulnerabilitiesMax) return undefined;
  const open = new Set<string>();
  for (const statement of statements) {
    const name = isObject(statement) ? readVulnerability(statement) : undefined;
    if (name === undefined || !isObject(statement) || typeof statement.status !== 'string') return undefined;
    const about = JSON.stringify([name, statement.products ?? null]);
    if (statement.status === 'affected') open.add(about);
    else if (CLEARED.includes(statement.status)) open.delete(about);
  }
  return open.size > 0;
};

/** Reads an in-toto statement: what it is about, by digest, and what it states. */
export const readStatement = (payload: unknown): ReadClaims => {
  if (!isObject(payload) || !STATEMENTS.includes(payload._type as string)) return { fault: 'The payload is not an in-toto statement.' };
  const { predicateType, predicate } = payload;
  if (typeof predicateType !== 'string' || predicateType.length > 500) return { fault: 'The statement has no predicateType.' };
  const artifacts = readSubjects(payload.subject);
  if (artifacts === undefined) return { fault: `The statement must have 1 to ${LIMITS.trust.subjectsMax} subjects.` };
  const kind = predicateKind(predicateType);
  const stated = isObject(predicate) ? predicate : {};
  const result = readResult(kind, stated);
  if (result === undefined) return { fault: 'The result of the statement must be PASSED, WARNED or FAILED.' };
  const isVulnerable = kind === 'vex' ? isAffected(stated) : false;
  if (isVulnerable === undefined) return { fault: 'The statements about vulnerabilities cannot be read.' };
  const claims: EvidenceClaims = { ...NO_CLAIMS, kind, result, isVulnerable, artifacts, statementType: predicateType };
  return { claims };
};
