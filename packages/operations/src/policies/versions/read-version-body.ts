import type { VersionBody } from '@svc/contract/policies/language.ts';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { unseenCharacters } from '@svc/policy/validate/unseen-characters.ts';
import { validateVersion } from '@svc/policy/validate/validate-version.ts';

/** Returns a version body that the language accepts; otherwise every fault with its pointer. */
export const readVersionBody = (rules: unknown, tests: unknown): VersionBody | Refusal<'INVALID_POLICY'> => {
  const read = validateVersion({ rules, tests });
  // Not required of stored versions: earlier ones stay in force.
  const faults = read.ok ? unseenCharacters(read.body) : read.faults;
  return read.ok && faults.length === 0 ? read.body : buildRefusal('INVALID_POLICY', undefined, { faults });
};
