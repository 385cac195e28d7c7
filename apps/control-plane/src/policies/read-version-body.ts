import type { VersionBody } from '@svc/contract/policy-language.ts';
import { type Refusal, refusal } from '@svc/contract/refusal.ts';
import { enforceableFaults } from '@svc/enforcement/enforceable-effects.ts';
import { validateVersion } from '@svc/policy/validate-version.ts';

/** A version body that the language accepts and enforcement carries out; otherwise every fault with its place. */
export const readVersionBody = (rules: unknown, tests: unknown): VersionBody | Refusal<'INVALID_POLICY'> => {
  const read = validateVersion({ rules, tests });
  const faults = read.ok ? enforceableFaults(read.body) : read.faults;
  if (read.ok && faults.length === 0) return read.body;
  return refusal('INVALID_POLICY', undefined, { faults });
};
