import type { VersionBody } from '@svc/contract/policies/language.ts';
import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import { validateVersion } from '@svc/policy/validate/validate-version.ts';

/** A version body that the language accepts; otherwise every fault with its place. */
export const readVersionBody = (rules: unknown, tests: unknown): VersionBody | Refusal<'INVALID_POLICY'> => {
  const read = validateVersion({ rules, tests });
  return read.ok ? read.body : refusal('INVALID_POLICY', undefined, { faults: read.faults });
};
