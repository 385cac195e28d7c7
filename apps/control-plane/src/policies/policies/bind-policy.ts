import type { Endpoints } from '@svc/contract/endpoints.ts';
import { reachesBeyond } from '@svc/domain/policies/policies/binding-reach.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { keepInvariants } from '@svc/operations/policies/invariants/keep-invariants.ts';
import { bindPolicy as bind } from '@svc/operations/policies/policies/bind-policy.ts';
import type { PoliciesDeps } from '../deps.ts';
import { proveInvariant } from '../proving/prove-invariant.ts';

export const bindPolicy: Handler<Endpoints['bindPolicy'], PoliciesDeps> = (call) => {
  const { scope } = call.body;
  if (reachesBeyond(call.scope, scope)) {
    return call.fault('/scope', 'This call is limited to a part of the organization; bind to something inside it.');
  }
  return keepInvariants({ scope: call.scope, prove: proveInvariant }, (guard) =>
    call.change(
      guard((change) => bind(change, { ...asActing(call), policyId: call.params.policyId, body: call.body })),
      { policy_bindings_are_once_per_target: () => call.refuse('ALREADY_EXISTS', 'The policy is already bound to this scope.') },
    ),
  );
};
