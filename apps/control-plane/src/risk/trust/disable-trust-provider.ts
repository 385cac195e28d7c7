import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { hasFreshStepUp, stepUpRefusal } from '@svc/operations/people/auth/step-up.ts';
import { asTrustProvider } from '@svc/operations/risk/trust/as-trust-provider.ts';
import { disableTrustProvider as disable } from '@svc/operations/risk/trust/disable-trust-provider.ts';
import type { RiskDeps } from '../deps.ts';

export const disableTrustProvider: Handler<Endpoints['disableTrustProvider'], RiskDeps> = (call) => {
  const { caller, now } = call;
  const refuseLoosening = () => (hasFreshStepUp(caller, now) ? undefined : stepUpRefusal(caller));
  const request = { ...asActing(call), providerId: call.params.trustProviderId, reason: call.body.reason, refuseLoosening };
  return call.change(async (change) => {
    const provider = await disable(change, request);
    return isRefusal(provider) ? provider : asTrustProvider(provider);
  });
};
