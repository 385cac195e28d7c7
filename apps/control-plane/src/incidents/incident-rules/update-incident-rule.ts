import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { updateIncidentRule as update } from '@svc/operations/incidents/incident-rules/update-incident-rule.ts';
import { hasFreshStepUp, stepUpRefusal } from '@svc/operations/people/auth/step-up.ts';
import type { IncidentsDeps } from '../deps.ts';
import { findContainmentRefusal } from './containment/containment-refusal.ts';

export const updateIncidentRule: Handler<Endpoints['updateIncidentRule'], IncidentsDeps> = (call) => {
  const { caller, now, params, body } = call;
  if (!hasFreshStepUp(caller, now)) return stepUpRefusal(caller);
  const refuseContainment = () => findContainmentRefusal(call);
  return call.change((change) => update(change, { ...asActing(call), ruleId: params.incidentRuleId, body, refuseContainment }));
};
