import type { EventType } from '@svc/contract/tables/events.ts';
import type { PrincipalType, Severity } from '@svc/contract/tables/vocabulary.ts';
import type { About } from './about.ts';

/** The principal of an event. */
export type EventActor = { readonly type: PrincipalType; readonly id: string; readonly name: string | null };

/** The details of an event that an operation emits. */
export type EventDetails = About & {
  /** Only to raise the severity in the table of events. */
  readonly severity?: Severity;
  /** Shown to readers of the audit record: secrets in it are masked when it is written. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** The organization of the record, if it differs from that of the change: for a person whose sessions end in all of theirs at once. */
  readonly elsewhere?: string;
};

/** An event with all that is written of it. */
export type EmittedEvent = EventDetails & {
  readonly organization_id: string;
  readonly id: string;
  readonly type: EventType;
  readonly occurred_at: Date | string;
  readonly actor: EventActor;
  readonly request_id: string;
  readonly trace_id: string;
};
