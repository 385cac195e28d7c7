import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { hasFreshStepUp, stepUpRefusal } from '@svc/operations/people/auth/step-up.ts';
import { declassifyContext as declassify } from '@svc/operations/risk/contexts/declassify-context.ts';
import type { RiskDeps } from '../deps.ts';

export const declassifyContext: Handler<Endpoints['declassifyContext'], RiskDeps> = (call) => {
  const { caller, now, params, body } = call;
  // A key is refused outright: re-authentication is not possible for it.
  if (caller.actor.type === 'USER' && !hasFreshStepUp(caller, now)) return stepUpRefusal(caller);
  return call.change((change) => declassify(change, { ...asActing(call), ...params, ...body }));
};
