import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import type { Invariant } from '@svc/policy/prove/invariant.ts';
import { invariantFaults } from '@svc/policy/prove/validate-invariant.ts';

/** Returns all faults of an invariant; undefined if there are none. */
export const invariantRefusal = (invariant: Invariant): Refusal<'INVALID_POLICY'> | undefined => {
  const faults = invariantFaults(invariant);
  return faults.length === 0 ? undefined : refusal('INVALID_POLICY', 'The invariant is not valid.', { faults });
};
