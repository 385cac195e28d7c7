import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { findIncident, updateIncidentRow } from '@svc/postgres/incidents/incidents/incidents.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { readIncidentDetail } from './as-incident.ts';
import { buildIncidentEvent, takeIncident } from './take-incident.ts';

const DAY_MS = 86_400_000;
const { reopenDays } = LIMITS.incidents;

type ReopenRequest = CallContext & { readonly incidentId: string; readonly reason: string };

/** Reopens an incident that was resolved recently. */
export const reopenIncident = async ({ tx, emit }: Change<'incident.updated'>, request: ReopenRequest) => {
  const { scope, now, incidentId, reason } = request;
  const { organization_id } = scope;
  const taken = await takeIncident(tx, request, incidentId, 'reopen');
  if (isRefusal(taken)) return taken;
  const { incident, to } = taken;
  const resolvedAt = Date.parse(incident.resolved_at ?? '');
  if (!(now.getTime() - resolvedAt <= reopenDays * DAY_MS)) {
    const details = { operation: 'reopen', from: incident.status, allowed_from: ['RESOLVED'], resolved_at: incident.resolved_at };
    return buildRefusal('INVALID_STATE_TRANSITION', `It was resolved more than ${reopenDays} days ago. Open another incident.`, details);
  }
  const { resolution, summary } = incident;
  await updateIncidentRow(tx, organization_id, incidentId, {
    ...{ status: to, resolution: null, duplicate_of: null, summary: null, left_in_force: [] },
    ...{ resolved_at: null, updated_at: now },
  });
  const data = {
    change: 'reopened',
    before: { status: incident.status, resolution, summary, resolved_at: incident.resolved_at },
    after: { status: to, resolved_at: null },
    reason,
  };
  emit('incident.updated', buildIncidentEvent(incident, data));
  const row = await findIncident(tx, organization_id, incidentId);
  return row ? readIncidentDetail(tx, row) : buildRefusal('NOT_FOUND');
};
