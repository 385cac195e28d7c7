import type { PolicyInvariant } from '@svc/contract/policies/invariants.ts';
import type { PolicyCondition } from '@svc/contract/policies/language.ts';
import type { Invariant } from '@svc/policy/prove/invariant.ts';

type Stated = {
  readonly when?: unknown;
  readonly if_missing?: 'match' | null;
  readonly at_least?: PolicyInvariant['at_least'];
  readonly at_most?: PolicyInvariant['at_most'];
};

/** Converts a stated or stored invariant to the form that the policy engine proves. */
export const asInvariant = ({ when, if_missing, at_least, at_most }: Stated, currency: string): Invariant => ({
  ...(when === undefined || when === null ? {} : { when: when as PolicyCondition }),
  ...(if_missing ? { if_missing } : {}),
  ...(at_least ? { at_least } : {}),
  ...(at_most ? { at_most } : {}),
  currency,
});
