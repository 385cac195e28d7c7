import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { findIncident, setFollowed, updateIncidentRow } from '@svc/postgres/incidents/incidents/incidents.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { readIncidentDetail } from './as-incident.ts';
import { buildIncidentEvent, getAcknowledgedAt, takeIncident } from './take-incident.ts';
import { writeReport } from './write-report.ts';

type CloseRequest = CallContext & { readonly incidentId: string; readonly reason: string | undefined };

/** Closes a resolved incident and stores its report. */
export const closeIncident = async ({ tx, emit }: Change<'incident.closed'>, request: CloseRequest) => {
  const { scope, now, incidentId, reason } = request;
  const { organization_id } = scope;
  const taken = await takeIncident(tx, request, incidentId, 'close');
  if (isRefusal(taken)) return taken;
  const { incident, to } = taken;
  const acknowledged_at = getAcknowledgedAt(incident, request);
  await updateIncidentRow(tx, organization_id, incidentId, { status: to, closed_at: now, updated_at: now, acknowledged_at });
  await setFollowed(tx, organization_id, incidentId, []);
  const row = await findIncident(tx, organization_id, incidentId);
  if (!row) return buildRefusal('NOT_FOUND');
  const report = await writeReport(tx, row, now);
  await updateIncidentRow(tx, organization_id, incidentId, { report: JSON.stringify(report) });
  const { checkpoint, entries } = report;
  const data = { before: { status: incident.status }, after: { status: to, closed_at: now.toISOString() }, checkpoint, entries };
  emit('incident.closed', buildIncidentEvent(incident, { ...data, ...(reason === undefined ? {} : { reason }) }));
  return readIncidentDetail(tx, row);
};
