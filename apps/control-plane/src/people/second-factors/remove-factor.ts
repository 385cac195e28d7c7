import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { removeFactor as remove } from '@svc/operations/people/second-factors/remove-factor.ts';
import type { PeopleDeps } from '../deps.ts';

export const removeFactor: Handler<Endpoints['removeFactor'], PeopleDeps> = async (call, deps) => {
  return call.change((change) =>
    remove(
      change,
      {
        ...asActing(call),
        amr: call.caller.amr,
        vouchedAmr: call.caller.vouchedAmr,
        factorId: call.params.factorId,
        email: call.caller.email,
        sourceIp: call.sourceIp,
        newId: call.newId,
      },
      deps,
    ),
  );
};
