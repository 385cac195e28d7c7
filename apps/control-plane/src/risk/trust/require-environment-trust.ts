import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { hasFreshStepUp, stepUpRefusal } from '@svc/operations/people/auth/step-up.ts';
import { requireEnvironmentTrust as require } from '@svc/operations/risk/trust/require-trust.ts';
import type { RiskDeps } from '../deps.ts';

export const requireEnvironmentTrust: Handler<Endpoints['requireEnvironmentTrust'], RiskDeps> = (call) => {
  const { caller, now, body, params } = call;
  const refuseLoosening = () => (hasFreshStepUp(caller, now) ? undefined : stepUpRefusal(caller));
  return call.change((change) => require(change, { ...asActing(call), ...params, ...body, refuseLoosening }));
};
