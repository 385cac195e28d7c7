import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { newRecoveryCodes } from '@svc/keyring/factors/recovery-codes.ts';
import { regenerateRecoveryCodes as regenerate } from '@svc/operations/people/second-factors/regenerate-recovery-codes.ts';
import type { PeopleDeps } from '../deps.ts';

export const regenerateRecoveryCodes: Handler<Endpoints['regenerateRecoveryCodes'], PeopleDeps> = (call, deps) => {
  const { actor } = call.caller;
  const { codes, hashes } = newRecoveryCodes(deps.factors.keys.recoveryCodes, actor.id);
  return call.change((change) =>
    regenerate(
      change,
      {
        ...asActing(call),
        amr: call.caller.amr,
        vouchedAmr: call.caller.vouchedAmr,
        email: call.caller.email,
        sourceIp: call.sourceIp,
        newId: call.newId,
      },
      hashes,
      codes,
      deps,
    ),
  );
};
