import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { ContainedStep } from '@svc/contract/incidents/incidents/containment.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { getIncidentTransition } from '@svc/domain/incidents/incidents/lifecycle.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { executeControl } from '@svc/operations/incidents/emergency/execute-control.ts';
import { containIncident as contain } from '@svc/operations/incidents/incidents/contain-incident.ts';
import { hasFreshStepUp, stepUpRefusal } from '@svc/operations/people/auth/step-up.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findIncident } from '@svc/postgres/incidents/incidents/incidents.ts';
import type { IncidentsDeps } from '../deps.ts';

type ContainCall = Call<Endpoints['containIncident']>;
type Step = NonNullable<EndpointBody<Endpoints['containIncident']>['steps']>[number];

const NEEDS = 'Containment steps are emergency controls, which require emergency:execute.';

/** Executes one step, with its events, or not at all; later steps run regardless of a failure. */
const executeStep = async (call: ContainCall, { control, target, confirm_blast_radius: confirmed }: Step): Promise<ContainedStep> => {
  const request = { ...asActing(call), control, target, confirmed, reason: call.body.reason, expiresAt: null, drill: false } as const;
  const { incidentId } = call.params;
  const result = await call.change((change) =>
    executeControl(change, { ...request, incidentId, newId: call.newId, recordsUnchanged: true }),
  );
  if (!isRefusal(result)) {
    const { outcome, execution_id, blast_radius, undo } = result;
    return { control, target, outcome, execution_id, blast_radius, undo, code: null, message: null };
  }
  const refused = { code: result.refused, message: result.message ?? null };
  return { control, target, outcome: 'REFUSED', execution_id: null, blast_radius: null, undo: null, ...refused };
};

export const containIncident: Handler<Endpoints['containIncident'], IncidentsDeps> = async (call) => {
  const { steps: wanted = [], reason } = call.body;
  const { incidentId } = call.params;
  const { organization_id } = call.scope;
  if (wanted.length > 0) {
    if (!call.holds('emergency:execute')) return call.refuse('PERMISSION_DENIED', NEEDS, { permission: 'emergency:execute' });
    if (!hasFreshStepUp(call.caller, call.now)) return stepUpRefusal(call.caller);
  }
  const found = await readInTenant(call.database, call.scope, (tx) => findIncident(tx, organization_id, incidentId));
  if (!found) return call.refuse('NOT_FOUND');
  const moved = getIncidentTransition('contain', found.status);
  if (isRefusal(moved)) return moved;
  const steps: ContainedStep[] = [];
  for (const step of wanted) steps.push(await executeStep(call, step));
  const entryId = call.newId('incident_entry');
  return call.change(async (change) => {
    const incident = await contain(change, { ...asActing(call), incidentId, reason, steps, entryId });
    return isRefusal(incident) ? incident : { incident, steps };
  });
};
