import type { Endpoints } from '@svc/contract/endpoints.ts';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { reachesBeyond } from '@svc/domain/policies/policies/binding-reach.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asInvariant } from '@svc/operations/policies/invariants/as-invariant.ts';
import { asPolicySource } from '@svc/operations/policies/versions/as-policy-source.ts';
import type { PolicySource } from '@svc/policy/judge/compile-version.ts';
import { listScopes } from '@svc/policy/prove/places.ts';
import { readInTenant, type TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { findPolicyOfVersion, readBoundPolicies } from '@svc/postgres/policies/policies/bound-policies.ts';
import { readPolicyHead } from '@svc/postgres/policies/policies/policies.ts';
import { findBindingScope, listBindings } from '@svc/postgres/policies/policies/policy-bindings.ts';
import { findPolicyVersion } from '@svc/postgres/policies/versions.ts';
import { readOrganization } from '@svc/postgres/tenancy/organization/organization.ts';
import type { PoliciesDeps } from '../deps.ts';
import { findInvariantRefusal } from '../proving/invariant-refusal.ts';
import { proveInvariant } from '../proving/prove-invariant.ts';

/** Reads the version in each scope that its policy is bound to. */
const readAsBound = async (
  tx: TenantTransaction,
  organizationId: string,
  versionId: string,
): Promise<PolicySource[] | Refusal<'NOT_FOUND'>> => {
  const policyId = await findPolicyOfVersion(tx, organizationId, versionId);
  const head = policyId === undefined ? undefined : await readPolicyHead(tx, organizationId, policyId);
  const version = head && (await findPolicyVersion(tx, organizationId, head.id, { id: versionId }));
  if (!head || !version) return buildRefusal('NOT_FOUND', 'There is no such version.');
  const bindings = await listBindings(tx, organizationId, head.id);
  return bindings.map((binding) => asPolicySource({ ...head, bindings: [binding] }, version));
};

/** Checks whether an invariant holds for the policies in force, or with one more version. Stores nothing. */
export const checkInvariant: Handler<Endpoints['checkInvariant'], PoliciesDeps> = async (call) => {
  const { organization_id } = call.scope;
  const scope = call.body.scope ?? { scope: 'ORGANIZATION' as const, id: organization_id };
  if (reachesBeyond(call.scope, scope.scope)) {
    return call.fault('/scope', 'This call is limited to a part of the organization; ask about a workspace or environment inside it.');
  }
  const refused = findInvariantRefusal(asInvariant(call.body, ''));
  if (refused) return refused;
  const found = await readInTenant(call.database, call.scope, async (tx) => {
    if (!(await findBindingScope(tx, organization_id, scope))) return call.refuse('NOT_FOUND', 'The scope names nothing that is here.');
    const { version_id } = call.body;
    const more = version_id === undefined ? [] : await readAsBound(tx, organization_id, version_id);
    if (isRefusal(more)) return more;
    const { bound, directory } = await readBoundPolicies(tx, organization_id, more);
    const replaced = new Set(more.map(({ policy_id }) => policy_id));
    const all = [...bound.filter(({ policy_id }) => !replaced.has(policy_id)), ...more];
    const { base_currency } = await readOrganization(tx, organization_id);
    return { places: listScopes(scope, all, directory), currency: base_currency };
  });
  return isRefusal(found) ? found : proveInvariant(organization_id, asInvariant(call.body, found.currency), found.places);
};
