import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { copyFlow } from '@svc/domain/risk/contexts/copy-flow.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { hasFreshStepUp, stepUpRefusal } from '@svc/operations/people/auth/step-up.ts';
import { declareToolFlow as declare } from '@svc/operations/risk/contexts/declare-tool-flow.ts';
import type { RiskDeps } from '../deps.ts';

export const declareToolFlow: Handler<Endpoints['declareToolFlow'], RiskDeps> = (call) => {
  const { caller, now, params } = call;
  const { reason, ...declared } = call.body;
  const refuseLoosening = () => (hasFreshStepUp(caller, now) ? undefined : stepUpRefusal(caller));
  return call.change(async (change) => {
    const flow = await declare(change, { ...asActing(call), toolId: params.toolId, declared, reason, refuseLoosening });
    return isRefusal(flow) ? flow : copyFlow(flow);
  });
};
