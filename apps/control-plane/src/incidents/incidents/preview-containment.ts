import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { PreviewedStep } from '@svc/contract/incidents/incidents/containment.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { previewControl } from '@svc/operations/incidents/emergency/preview-control.ts';
import { searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findIncident } from '@svc/postgres/incidents/incidents/incidents.ts';
import type { IncidentsDeps } from '../deps.ts';

export const previewContainment: Handler<Endpoints['previewContainment'], IncidentsDeps> = (call) =>
  searchInTenant(call.database, call.scope, async (tx) => {
    if (!(await findIncident(tx, call.scope.organization_id, call.params.incidentId))) return call.refuse('NOT_FOUND');
    const steps: PreviewedStep[] = [];
    for (const { control, target } of call.body.steps) {
      const previewed = await previewControl(tx, control, { ...asActing(call), target });
      steps.push(
        isRefusal(previewed)
          ? { control, target, code: previewed.refused, message: previewed.message ?? null, blast_radius: null }
          : { control, target, code: null, message: null, blast_radius: previewed.blast_radius },
      );
    }
    return { steps };
  });
