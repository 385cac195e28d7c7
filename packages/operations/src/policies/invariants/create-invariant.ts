import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { allPolicyInvariants, findPolicyInvariant, insertPolicyInvariant } from '@svc/postgres/policies/invariants.ts';
import { findBindingScope } from '@svc/postgres/policies/policies/policy-bindings.ts';
import { readOrganization } from '@svc/postgres/tenancy/organization/organization.ts';
import type { CallContext } from '../../people/auth/acting.ts';

const INVARIANTS_MAX = LIMITS.policies.invariantsMax;

const TOO_MANY = `An organization states at most ${INVARIANTS_MAX} invariants, since each change of policies is proved against all of them.`;

/** Creates an invariant. One that is violated now is refused: it would block every change without ever having been true. */
export const createInvariant = async (
  { tx, emit }: Change<'compliance.control_updated'>,
  request: CallContext & { readonly body: EndpointBody<Endpoints['createInvariant']> },
  id: string,
) => {
  const { organization_id } = request.scope;
  const { name, description = '', when, if_missing = null, at_least = null, at_most = null } = request.body;
  const scope = request.body.scope ?? { scope: 'ORGANIZATION' as const, id: organization_id };
  if ((await allPolicyInvariants(tx, organization_id)).length >= INVARIANTS_MAX) return buildRefusal('UNPROCESSABLE', TOO_MANY);
  const place = await findBindingScope(tx, organization_id, scope);
  if (!place) return buildRefusal('NOT_FOUND', 'The scope names nothing that is here.');
  const { base_currency: currency } = await readOrganization(tx, organization_id);
  const condition = (when ?? null) as Record<string, unknown> | null;
  const stated = { name, description, when: condition, if_missing, at_least, at_most, currency };
  const created_by = request.actor.id;
  await insertPolicyInvariant(tx, organization_id, { id, ...stated, ...place, created_by, now: request.now });
  emit('compliance.control_updated', {
    ...about.policy_invariant({ id }, place),
    data: { before: null, after: { ...stated, scope } },
  });
  return (await findPolicyInvariant(tx, organization_id, id)) ?? buildRefusal('NOT_FOUND');
};
