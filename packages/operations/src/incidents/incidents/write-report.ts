import type { IncidentReport } from '@svc/contract/incidents/incidents/incident-shapes.ts';
import { reportMarkdown } from '@svc/domain/incidents/incidents/report-markdown.ts';
import { readCheckpoints } from '@svc/postgres/audit/log/read-log.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { countEntries, readTimeline, sumTimeline } from '@svc/postgres/incidents/incidents/entries.ts';
import type { IncidentRow } from '@svc/postgres/incidents/incidents/incidents.ts';
import { asEntry, readIncidentDetail } from './as-incident.ts';

const SHOWN_MAX = 500;
const SECOND_MS = 1_000;

const secondsTo = (from: string, to: string | null): number | null =>
  to === null ? null : Math.round((Date.parse(to) - Date.parse(from)) / SECOND_MS);

/** Writes the current report of an incident. */
export const writeReport = async (tx: TenantTransaction, row: IncidentRow, now: Date): Promise<IncidentReport> => {
  const { organization_id, id, created_at } = row;
  const incident = await readIncidentDetail(tx, row);
  const timeline = await readTimeline(tx, organization_id, { incidentId: id, after: undefined, limit: SHOWN_MAX });
  const sums = await sumTimeline(tx, organization_id, id, row.contained_at ?? now.toISOString());
  const [checkpoint] = await readCheckpoints(tx, organization_id, { below: Number.MAX_SAFE_INTEGER, limit: 1 });
  const parts = {
    incident,
    times: {
      to_acknowledge_seconds: secondsTo(created_at, row.acknowledged_at),
      to_contain_seconds: secondsTo(created_at, row.contained_at),
      to_resolve_seconds: secondsTo(created_at, row.resolved_at),
    },
    people: [...sums.people],
    decisions: { refused: sums.refused, permitted: sums.permitted },
    still_in_force: incident.steps.filter((step) => step.in_force).map((step) => step.id),
    timeline: timeline.slice(0, SHOWN_MAX).map(asEntry),
    entries: await countEntries(tx, organization_id, id),
    checkpoint: checkpoint === undefined ? null : { size: checkpoint.size, root_hash: checkpoint.root_hash.toString('hex') },
    written_at: now.toISOString(),
  };
  return { ...parts, markdown: reportMarkdown(parts) };
};
