import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { hasFreshStepUp, stepUpRefusal } from '@svc/operations/people/auth/step-up.ts';
import { updateRiskSettings as update } from '@svc/operations/risk/risk-settings/update-risk-settings.ts';
import type { RiskDeps } from '../deps.ts';

export const updateRiskSettings: Handler<Endpoints['updateRiskSettings'], RiskDeps> = (call) => {
  const { caller, now, params } = call;
  const { reason, expected_version: expectedVersion, ...chosen } = call.body;
  const refuseLoosening = () => (hasFreshStepUp(caller, now) ? undefined : stepUpRefusal(caller));
  return call.change((change) =>
    update(change, { ...asActing(call), environmentId: params.environmentId, chosen, reason, expectedVersion, refuseLoosening }),
  );
};
