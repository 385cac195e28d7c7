import { LIMITS } from '@svc/contract/tables/limits.ts';
import { SEGMENT_LEAVES } from '@svc/domain/events/audit-searches/bloom-positions.ts';
import { findLostEvents, type LogTraces, readTraces } from '@svc/postgres/audit/log/traces.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import type { LogFinding } from './compare-stretch.ts';

const fault = (says: string, event_id: string | null = null, sequence: number | null = null): LogFinding => ({
  kind: 'LOG_CHANGED',
  sequence,
  event_id,
  says,
});

/** Compares counts of other tables with the log: larger ones show that the log was restored without them. */
const compareSizes = ({ size, anchored, summed, announced_leaves, removed_leaves }: LogTraces): readonly LogFinding[] =>
  Object.entries({
    'audit_anchorings and audit_anchored': anchored,
    audit_search_segments: summed,
    'audit_retention.announced_leaves': announced_leaves,
    'audit_retention.removed_leaves': removed_leaves,
  }).flatMap(([table, stated]) =>
    stated > size ? [fault(`The log was rolled back: it has ${size} leaves, and ${table} ${stated}.`, null, size)] : [],
  );

/** Compares the retention table with events of the record about retention. */
const compareRetention = (traces: LogTraces): readonly LogFinding[] => {
  const { announced_leaves, removed_leaves, keep_days, announced_event, announced_by_event, keep_event, keep_by_event } = traces;
  const announced = Number(announced_by_event ?? 0);
  const isKnown = keep_event !== null || removed_leaves === 0;
  return [
    ...(announced_leaves === announced
      ? []
      : [
          fault(
            `audit_retention.announced_leaves was changed to ${announced_leaves}: the newest announcement states ${announced}.`,
            announced_event,
          ),
        ]),
    ...(removed_leaves <= announced_leaves
      ? []
      : [
          fault(
            `audit_retention.removed_leaves was changed to ${removed_leaves}: only ${announced_leaves} were announced.`,
            announced_event,
          ),
        ]),
    // Retention eventually removes the event.
    ...(!isKnown || String(keep_days ?? '') === (keep_by_event ?? '')
      ? []
      : [fault(`audit_retention.keep_days was changed to ${keep_days}: the newest change states ${keep_by_event}.`, keep_event)]),
  ];
};

/** Returns findings about the log from other tables: that it was restored without them, or that they were changed. */
export const compareTraces = async (tx: TenantTransaction, organizationId: string, isWhole: boolean): Promise<readonly LogFinding[]> => {
  const traces = await readTraces(tx, organizationId, SEGMENT_LEAVES);
  const lost = isWhole ? await findLostEvents(tx, organizationId, LIMITS.audit.findingsMax) : [];
  return [
    ...compareSizes(traces),
    ...compareRetention(traces),
    ...lost.map(({ record_type, record_id, event_id }) =>
      fault(
        `The record was rolled back: the event ${event_id} of the ${record_type} ${record_id} is later than every event there is.`,
        event_id,
      ),
    ),
  ];
};
