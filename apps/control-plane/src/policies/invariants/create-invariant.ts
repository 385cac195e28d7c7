import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { reachesBeyond } from '@svc/domain/policies/policies/binding-reach.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asInvariant } from '@svc/operations/policies/invariants/as-invariant.ts';
import { keepInvariants } from '@svc/operations/policies/invariants/keep-invariants.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { allPolicyInvariants, findPolicyInvariant, insertPolicyInvariant } from '@svc/postgres/policies/invariants.ts';
import { findBindingPlace } from '@svc/postgres/policies/policies/policy-bindings.ts';
import { readOrganization } from '@svc/postgres/tenancy/organization/organization.ts';
import type { ControlDeps } from '../../deps.ts';
import { invariantRefusal } from '../proving/invariant-refusal.ts';
import { proveInvariant } from '../proving/prove-invariant.ts';

const INVARIANTS_MAX = LIMITS.policies.invariantsMax;
const TOO_MANY = `An organization states at most ${INVARIANTS_MAX} invariants, since each change of policies is proved against all of them.`;

/** States an invariant. What does not hold now is not stated: it would stand in the way of every change without ever having been true. */
export const createInvariant: Handler<Endpoints['createInvariant'], ControlDeps> = async (call) => {
  const { organization_id } = call.scope;
  const { name, description = '', when, if_missing = null, at_least = null, at_most = null } = call.body;
  const scope = call.body.scope ?? { scope: 'ORGANIZATION' as const, id: organization_id };
  if (reachesBeyond(call.scope, scope.scope)) {
    return call.fault(
      '/scope',
      'This call is limited to a part of the organization; state what holds in a workspace or environment inside it.',
    );
  }
  const refused = invariantRefusal(asInvariant(call.body, ''));
  if (refused) return refused;
  const id = call.newId('policy_invariant');
  return keepInvariants({ scope: call.scope, prove: proveInvariant }, (guard) =>
    call.change(
      guard(async ({ tx, emit }) => {
        if ((await allPolicyInvariants(tx, organization_id)).length >= INVARIANTS_MAX) return call.refuse('UNPROCESSABLE', TOO_MANY);
        const place = await findBindingPlace(tx, organization_id, scope);
        if (!place) return call.refuse('NOT_FOUND', 'The scope names nothing that is here.');
        const { base_currency: currency } = await readOrganization(tx, organization_id);
        const condition = (when ?? null) as Record<string, unknown> | null;
        const stated = { name, description, when: condition, if_missing, at_least, at_most, currency };
        const created_by = call.caller.actor.id;
        await insertPolicyInvariant(tx, organization_id, { id, ...stated, ...place, created_by, now: call.now });
        emit('compliance.control_updated', {
          ...about.policy_invariant({ id }, place),
          data: { before: null, after: { ...stated, scope } },
        });
        return (await findPolicyInvariant(tx, organization_id, id)) ?? call.refuse('NOT_FOUND');
      }),
      { policy_invariants_name_is_unique: () => call.refuse('ALREADY_EXISTS', 'An invariant of this name exists already.') },
    ),
  );
};
