import type { Tables } from '../connection/tables.ts';
import type { EmittedEvent } from './emitted-event.ts';
import { resolveSeverity } from './event-severity.ts';
import { maskEventJson, maskName } from './mask-event.ts';

/**
 * Rows of a statement with an event about an action: `action` the action with its principal, `event` the event's own columns,
 * and `at` the expression of its time.
 */
export type EventSource = { readonly action: string; readonly event: string; readonly at: string };

type Column = {
  /** For an event in memory. */
  readonly read: (told: EmittedEvent) => unknown;
  /** SQL for an event about an action in the rows of a statement, masked before it was sent. */
  readonly text: (from: EventSource) => string;
};

type Name = Exclude<keyof Tables['audit_events'], 'transaction_id' | 'leaf_hash' | 'mac'>;

const ofAction = (name: string) => (from: EventSource) => `${from.action}.${name}`;
const ofEvent = (name: string) => (from: EventSource) => `${from.event}.${name}`;

/** Every column of an event, and how it is written, for all writers. The database adds the transaction. */
export const EVENT_COLUMNS = {
  organization_id: { read: (told) => told.organization_id, text: ofAction('organization_id') },
  id: { read: (told) => told.id, text: ofEvent('id') },
  type: { read: (told) => told.type, text: ofEvent('type') },
  occurred_at: { read: (told) => told.occurred_at, text: (from) => from.at },
  workspace_id: { read: (told) => told.workspace_id, text: ofAction('workspace_id') },
  environment_id: { read: (told) => told.environment_id, text: ofAction('environment_id') },
  actor_type: { read: (told) => told.actor.type, text: ofAction('principal_type') },
  actor_id: { read: (told) => told.actor.id, text: ofAction('principal_id') },
  actor_name: { read: ({ actor }) => actor.name && maskName(actor.name), text: ofAction('principal_name') },
  subject_type: { read: (told) => told.subject.type, text: () => "'action'" },
  subject_id: { read: (told) => told.subject.id, text: ofAction('id') },
  severity: { read: (told) => told.severity ?? resolveSeverity(told.type), text: ofEvent('severity') },
  request_id: { read: (told) => told.request_id, text: ofAction('request_id') },
  trace_id: { read: (told) => told.trace_id, text: ofAction('trace_id') },
  data: { read: (told) => maskEventJson(told.data ?? {}), text: ofEvent('data') },
} as const satisfies Record<Name, Column>;
