import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { createIncidentRule as create } from '@svc/operations/incidents/incident-rules/create-incident-rule.ts';
import type { IncidentsDeps } from '../deps.ts';
import { findContainmentRefusal } from './containment/containment-refusal.ts';

export const createIncidentRule: Handler<Endpoints['createIncidentRule'], IncidentsDeps> = (call) => {
  const refuseContainment = () => findContainmentRefusal(call);
  return call.change((change) => create(change, { ...asActing(call), body: call.body, refuseContainment }, call.newId('incident_rule')));
};
