import type { ContainmentStep, Incident, IncidentDetail, IncidentEntry } from '@svc/contract/incidents/incidents/incident-shapes.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { type EmergencyStep, readSteps } from '@svc/postgres/incidents/emergency/executions.ts';
import type { EntryRow } from '@svc/postgres/incidents/incidents/entries.ts';
import type { IncidentRow } from '@svc/postgres/incidents/incidents/incidents.ts';

/** Formats an incident for lists. */
export const asIncident = (row: IncidentRow): Incident => {
  const { organization_id: _, opened_by_type: type, opened_by_id: id, rule_key: __, left_in_force: ___, report: ____, ...rest } = row;
  return { ...rest, opened_by: { type, id } };
};

const asStep = (step: EmergencyStep): ContainmentStep => {
  const { id, control, outcome, confirmed, actual, reason, drill, executed_at, in_force } = step;
  const target = { type: step.target_type, id: step.target_id, name: step.target_name };
  return { id, control, target, outcome, confirmed, actual, reason, drill, executed_by: step.executed_by_id, executed_at, in_force };
};

/** Formats an incident with its containment steps as they are in force now. */
export const readIncidentDetail = async (tx: TenantTransaction, row: IncidentRow): Promise<IncidentDetail> => {
  const steps = (await readSteps(tx, row.organization_id, row.id)).map(asStep);
  const is_contained = steps.length > 0 && steps.every(({ in_force }) => in_force);
  return { ...asIncident(row), is_contained, steps };
};

export const asEntry = ({ id, kind, at, last_at, count, event_id, pinned, data }: EntryRow): IncidentEntry => ({
  ...{ id, kind, at, last_at, count, event_id, pinned, data },
});
