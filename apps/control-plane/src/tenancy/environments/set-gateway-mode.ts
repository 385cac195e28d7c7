import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { hasFreshStepUp, stepUpRefusal } from '@svc/operations/people/auth/step-up.ts';
import { setMode } from '@svc/operations/tenancy/environments/set-mode.ts';
import type { TenancyDeps } from '../deps.ts';

export const setGatewayMode: Handler<Endpoints['setGatewayMode'], TenancyDeps> = (call) => {
  const { body, caller, params, scope, now } = call;
  const refuseReducing = () => (hasFreshStepUp(caller, now) ? undefined : stepUpRefusal(caller));
  const asked = { ...body, reason: body.reason, organizationId: scope.organization_id, environmentId: params.environmentId };
  return call.change((change) => setMode(change, { ...asked, refuseReducing, now }));
};
