import type { PolicySource } from '@svc/policy/judge/compile-version.ts';
import type { PolicyHead } from '@svc/postgres/policies/policies/policies.ts';
import type { StoredBinding } from '@svc/postgres/policies/policies/policy-bindings.ts';
import type { StoredVersion } from '@svc/postgres/policies/versions.ts';

/**
 * Converts a stored version to the form that the policy engine compiles. A version's own tests have the same result wherever it is bound.
 */
export const asPolicySource = (
  policy: Pick<PolicyHead, 'id' | 'name'> & { readonly bindings: readonly StoredBinding[] },
  version: Pick<StoredVersion, 'id' | 'version_number' | 'currency' | 'body'>,
): PolicySource => {
  const [binding] = policy.bindings;
  return {
    policy_id: policy.id,
    policy_name: policy.name,
    version_id: version.id,
    version_number: version.version_number,
    binding: { scope: binding?.scope ?? 'ORGANIZATION', id: binding?.target_id ?? '' },
    currency: version.currency,
    body: version.body,
  };
};
