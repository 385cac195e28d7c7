import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { keepInvariants } from '@svc/operations/policies/invariants/keep-invariants.ts';
import { activatePolicy as activate } from '@svc/operations/policies/policies/activate-policy.ts';
import type { PoliciesDeps } from '../deps.ts';
import { proveInvariant } from '../proving/prove-invariant.ts';

export const activatePolicy: Handler<Endpoints['activatePolicy'], PoliciesDeps> = (call) =>
  keepInvariants({ scope: call.scope, prove: proveInvariant }, (guard) =>
    call.change(guard((change) => activate(change, { ...asActing(call), policyId: call.params.policyId, body: call.body }))),
  );
