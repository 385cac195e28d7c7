import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { keepInvariants } from '@svc/operations/policies/invariants/keep-invariants.ts';
import { checkOpenings } from '@svc/operations/policies/openings/check-openings.ts';
import { suspendPolicy as suspend, suspendIfOnlyAllows } from '@svc/operations/policies/policies/suspend-policy.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { analyseChange } from '../analysis/analyse-change.ts';
import type { PoliciesDeps } from '../deps.ts';
import { proveInvariant } from '../proving/prove-invariant.ts';

type Suspend = Endpoints['suspendPolicy'];
type Suspending = Change<Suspend['emits'][number]>;

/**
 * Suspends a policy. One that only allows is suspended at once, as emergencies require, even if an invariant limits how strict a decision may
 * be. Any other is suspended when the invariants are proved without it, ahead of other proofs, and the caller accepts what is then permitted.
 */
export const suspendPolicy: Handler<Suspend, PoliciesDeps> = async (call) => {
  const checking = { organizationId: call.scope.organization_id, analyse: analyseChange };
  const request = { ...asActing(call), policyId: call.params.policyId, body: call.body };
  const suspended = await checkOpenings(checking, () => call.change((change) => suspendIfOnlyAllows(change, request)));
  if (suspended !== 'may_permit_more') return suspended;
  return checkOpenings(checking, (check) =>
    keepInvariants({ scope: call.scope, prove: proveInvariant, urgency: 'emergency' }, (guard) =>
      call.change(guard((change: Suspending) => suspend(change, request, check))),
    ),
  );
};
