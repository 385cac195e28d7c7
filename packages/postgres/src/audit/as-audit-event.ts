import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import type { Selectable } from 'kysely';
import type { Tables } from '../connection/tables.ts';
import { EVENT_COLUMNS } from './event-columns.ts';

/** An event as it is read: what was written of it, and no more. */
export type StoredEventRow = Pick<Selectable<Tables['audit_events']>, keyof typeof EVENT_COLUMNS>;

export const EVENT_NAMES = Object.keys(EVENT_COLUMNS) as readonly (keyof typeof EVENT_COLUMNS)[];

/**
 * Returns an event in API form; its position in the log is in another table. Members are listed one by one: the whole record is read
 * through it.
 */
export const asAuditEvent = (row: StoredEventRow, sequence: number | null = null): AuditEvent => ({
  id: row.id,
  type: row.type,
  occurred_at: row.occurred_at,
  organization_id: row.organization_id,
  workspace_id: row.workspace_id,
  environment_id: row.environment_id,
  actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
  subject: { type: row.subject_type, id: row.subject_id },
  severity: row.severity,
  request_id: row.request_id,
  trace_id: row.trace_id,
  data: row.data,
  sequence,
});
