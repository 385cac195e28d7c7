import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { deleteIncidentRule as remove } from '@svc/operations/incidents/incident-rules/update-incident-rule.ts';
import { hasFreshStepUp, stepUpRefusal } from '@svc/operations/people/auth/step-up.ts';
import type { IncidentsDeps } from '../deps.ts';

export const deleteIncidentRule: Handler<Endpoints['deleteIncidentRule'], IncidentsDeps> = (call) => {
  const { caller, now, params, body } = call;
  if (!hasFreshStepUp(caller, now)) return stepUpRefusal(caller);
  return call.change((change) => remove(change, { ...asActing(call), ruleId: params.incidentRuleId, reason: body.reason }));
};
