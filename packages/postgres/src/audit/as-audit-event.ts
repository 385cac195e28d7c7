import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import type { Selectable } from 'kysely';
import type { Tables } from '../connection/tables.ts';
import { EVENT_COLUMNS } from './event-columns.ts';

/** An event as it is read: what was written of it, and no more. */
export type EventRow = Pick<Selectable<Tables['audit_events']>, keyof typeof EVENT_COLUMNS>;

export const EVENT_NAMES = Object.keys(EVENT_COLUMNS) as readonly (keyof typeof EVENT_COLUMNS)[];

/** As it is told; where it stands in the log is known of another table. */
export const asAuditEvent = (
  { actor_type, actor_id, actor_name, subject_type, subject_id, ...row }: EventRow,
  sequence: number | null = null,
): AuditEvent => ({
  ...row,
  actor: { type: actor_type, id: actor_id, name: actor_name },
  subject: { type: subject_type, id: subject_id },
  sequence,
});
