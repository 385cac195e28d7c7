import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { keepInvariants } from '@svc/operations/policies/invariants/keep-invariants.ts';
import { checkOpenings } from '@svc/operations/policies/openings/check-openings.ts';
import { unbindPolicy as unbind } from '@svc/operations/policies/policies/unbind-policy.ts';
import { analyseChange } from '../analysis/analyse-change.ts';
import type { PoliciesDeps } from '../deps.ts';
import { proveInvariant } from '../proving/prove-invariant.ts';

export const unbindPolicy: Handler<Endpoints['unbindPolicy'], PoliciesDeps> = (call) => {
  const { organization_id } = call.scope;
  return checkOpenings({ organizationId: organization_id, analyse: analyseChange }, (check) =>
    keepInvariants({ scope: call.scope, prove: proveInvariant }, (guard) =>
      call.change(
        guard((change) =>
          unbind(change, { ...asActing(call), policyId: call.params.policyId, bindingId: call.params.bindingId, query: call.query }, check),
        ),
      ),
    ),
  );
};
