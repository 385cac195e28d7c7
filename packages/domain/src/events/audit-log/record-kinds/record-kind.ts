import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import type { EventType } from '@svc/contract/tables/events.ts';

/**
 * The type of a column, which determines its text in a document: `text` as it is, `json` as the text that is stored, `bigint` in decimal, `bytea`
 * in hex, and `timestamptz` in ISO 8601 to the microsecond.
 */
export type ColumnType = 'text' | 'json' | 'bigint' | 'bytea' | 'timestamptz';

/** Columns by name, in the order of their UTF-16 code units, so that canonical JSON sorts nothing. */
export type DigestedColumns = Readonly<Record<string, ColumnType>>;

/** A set of columns that change together and are covered by one digest. */
export type RecordPart = {
  /** The member of the event's data that holds the digest. */
  readonly digest: string;
  /** The columns of each digest version. A version is never changed: events that name it stay verifiable. */
  readonly versions: Readonly<Record<number, DigestedColumns>>;
  /** The version that is written. */
  readonly version: number;
  /** Types of the events that are written with a change of this part. One of them without a digest comes from a release that wrote none. */
  readonly writtenWith: readonly EventType[];
};

/** A kind of rows that events refer to and cover by digests. */
export type RecordKind = {
  readonly type: string;
  readonly table: string;
  /** Columns that identify a row in its organization, joined by "/" in the id of a record. */
  readonly key: readonly [string, ...string[]];
  readonly parts: readonly RecordPart[];
  /** The id of the record that an event of one of these types refers to. */
  readonly recordIdOf: (event: Pick<AuditEvent, 'subject' | 'data'>) => string | undefined;
  /** Columns with the ids under which events about a record are found: their subjects. */
  readonly subjects: readonly string[];
};
