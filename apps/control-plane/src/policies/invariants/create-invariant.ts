import type { Endpoints } from '@svc/contract/endpoints.ts';
import { reachesBeyond } from '@svc/domain/policies/policies/binding-reach.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asInvariant } from '@svc/operations/policies/invariants/as-invariant.ts';
import { createInvariant as create } from '@svc/operations/policies/invariants/create-invariant.ts';
import { keepInvariants } from '@svc/operations/policies/invariants/keep-invariants.ts';
import type { PoliciesDeps } from '../deps.ts';
import { findInvariantRefusal } from '../proving/invariant-refusal.ts';
import { proveInvariant } from '../proving/prove-invariant.ts';

export const createInvariant: Handler<Endpoints['createInvariant'], PoliciesDeps> = async (call) => {
  const { organization_id } = call.scope;
  const scope = call.body.scope ?? { scope: 'ORGANIZATION' as const, id: organization_id };
  if (reachesBeyond(call.scope, scope.scope)) {
    return call.fault(
      '/scope',
      'This call is limited to a part of the organization; state what holds in a workspace or environment inside it.',
    );
  }
  const refused = findInvariantRefusal(asInvariant(call.body, ''));
  if (refused) return refused;
  const id = call.newId('policy_invariant');
  return keepInvariants({ scope: call.scope, prove: proveInvariant }, (guard) =>
    call.change(
      guard((change) => create(change, { ...asActing(call), body: call.body }, id)),
      { policy_invariants_name_is_unique: () => call.refuse('ALREADY_EXISTS', 'An invariant of this name exists already.') },
    ),
  );
};
