import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { Invariant } from '@svc/policy/prove/invariant.ts';
import { findInvariantFaults } from '@svc/policy/prove/validate-invariant.ts';

/** Returns all faults of an invariant; undefined if there are none. */
export const findInvariantRefusal = (invariant: Invariant): Refusal<'INVALID_POLICY'> | undefined => {
  const faults = findInvariantFaults(invariant);
  return faults.length === 0 ? undefined : buildRefusal('INVALID_POLICY', 'The invariant is not valid.', { faults });
};
