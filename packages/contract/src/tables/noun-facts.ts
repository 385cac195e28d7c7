import type { OcsfClass } from './ocsf-classes.ts';
import type { Severity } from './vocabulary.ts';

/** An event that clients know, by its type: `noun.what_happened`. A type never changes. */
export type EventFacts = {
  /** True if a webhook subscription may name the type. */
  readonly webhook: boolean;
  /** Severity that an event is recorded with, unless the operation raises it. */
  readonly severity: Severity;
  /** Class and activity in OCSF exports. Consumers map by their numbers, so they never change. */
  readonly ocsf: OcsfClass;
  /** Condition under which the event is written, one sentence. */
  readonly when: string;
};

/**
 * How an event about a row gets its workspace and environment. A caller limited to one of them sees no other events.
 * - `organization`: neither; the row belongs to the whole organization.
 * - `columns`: from the columns `workspace_id` and `environment_id` of the row.
 * - `workspace column`: from the column `workspace_id`; no environment.
 * - `workspace`, `environment`: the row is one.
 * - `given`: the caller of `about` passes the row that they come from, such as the agent of a passport.
 */
export type EventScope = 'organization' | 'columns' | 'workspace column' | 'workspace' | 'environment' | 'given';

type PathParameter = {
  /** Name of the resource for people: `notification channel`. */
  readonly noun: string;
  /** Table to look the id up in, if it is not the table of the noun. */
  readonly table?: string;
};

/** Everything that central tables need to know about a noun. Ids, path parameters, event types, audit subjects and OCSF classes derive from it. */
export type NounFacts = {
  /** Prefix of its ids: three or four lower-case letters that no other noun has. Omitted if it has no ids. */
  readonly idPrefix?: string;
  /** Table of its rows, with a column `id` and `organization_id`. Required if a path parameter holds its id. */
  readonly table?: string;
  /** Path parameters that hold its id: `/v1/notification-channels/{channelId}`. */
  readonly parameters?: Readonly<Record<string, PathParameter>>;
  /** Path parameters that hold another word, with its name for people. */
  readonly words?: Readonly<Record<string, string>>;
  /** Makes it a subject of audit events. */
  readonly eventScope?: EventScope;
  /** Event types of the published interface. The list is closed: new types are `addedEvents`. */
  readonly events?: Readonly<Record<string, EventFacts>>;
  /** Event types that the published interface does not list. No webhook subscription can name them. */
  readonly addedEvents?: Readonly<Record<string, Omit<EventFacts, 'webhook'>>>;
};
