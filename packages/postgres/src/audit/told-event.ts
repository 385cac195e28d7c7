import type { EventType } from '@svc/contract/tables/events.ts';
import type { PrincipalType, Severity } from '@svc/contract/tables/vocabulary.ts';
import type { About } from './about.ts';

/** Who did it. */
export type Actor = { readonly type: PrincipalType; readonly id: string; readonly name: string | null };

/** What an operation tells of what it did. */
export type EventDetails = About & {
  /** Only to raise what the table of events says. */
  readonly severity?: Severity;
  /** Told to whoever reads the audit: secrets in it are masked when it is written. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Whose record it belongs into, where that is not the organization of the change: of a person whose doings end in all of theirs at once. */
  readonly elsewhere?: string;
};

/** An event with all that is written of it. */
export type ToldEvent = EventDetails & {
  readonly organization_id: string;
  readonly id: string;
  readonly type: EventType;
  readonly occurred_at: Date | string;
  readonly actor: Actor;
  readonly request_id: string;
  readonly trace_id: string;
};
