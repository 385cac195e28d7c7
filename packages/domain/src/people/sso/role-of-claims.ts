import { LIMITS } from '@svc/contract/tables/limits.ts';

export type RoleTerms = {
  readonly role_claim: string | null;
  readonly role_mapping: readonly { readonly value: string; readonly role_id: string }[];
  readonly default_role_id: string | null;
};

const listValues = (claim: unknown): readonly unknown[] =>
  (Array.isArray(claim) ? claim : [claim]).slice(0, LIMITS.sso.claimValuesMax).filter((value) => typeof value === 'string');

/** Returns the role of the first mapping that matches claims. Null if there is none; `mapped` is false if there are no mappings. */
export const resolveClaimsRole = (
  claims: Readonly<Record<string, unknown>>,
  { role_claim, role_mapping, default_role_id }: RoleTerms,
): { readonly role_id: string | null; readonly mapped: boolean } => {
  const claim = role_claim !== null && Object.hasOwn(claims, role_claim) ? claims[role_claim] : undefined;
  const values = new Set(listValues(claim));
  const matching = role_mapping.find(({ value }) => values.has(value));
  return { role_id: matching?.role_id ?? default_role_id, mapped: role_claim !== null && role_mapping.length > 0 };
};
