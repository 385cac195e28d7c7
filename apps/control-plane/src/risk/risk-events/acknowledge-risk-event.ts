import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { acknowledgeRiskEvent as acknowledge } from '@svc/operations/risk/risk-events/acknowledge-risk-event.ts';
import type { RiskDeps } from '../deps.ts';

export const acknowledgeRiskEvent: Handler<Endpoints['acknowledgeRiskEvent'], RiskDeps> = (call) => {
  const { verdict, comment = null, mute_hours: muteHours } = call.body;
  const { riskEventId } = call.params;
  return call.change((change) => acknowledge(change, { ...asActing(call), riskEventId, verdict, comment, muteHours }));
};
