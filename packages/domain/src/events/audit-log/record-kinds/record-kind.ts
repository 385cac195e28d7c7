import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import type { EventType } from '@svc/contract/tables/events.ts';
import type { Permission } from '@svc/contract/tables/permissions.ts';

/**
 * The type of a column, which determines its text in a document: `text` as it is, `json` as the text that is stored, `bigint` in decimal, `bytea`
 * in hex, and `timestamptz` in ISO 8601 to the microsecond. `value` is the text that PostgreSQL casts it to, for arrays, booleans and jsonb.
 * `fingerprint` is the SHA-256 of bytes that must not leave the database, in hex. `rows` is a JSON array of rows of another table.
 */
export type ColumnType = 'text' | 'json' | 'bigint' | 'bytea' | 'timestamptz' | 'value' | 'fingerprint' | 'rows';

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

/** Rows of another table that belong to a record and are covered with it, so that adding or deleting one is detected. */
export type CoveredRows = {
  readonly table: string;
  /** The columns that name the record, in the order of its key. */
  readonly of: readonly [string, ...string[]];
  /** The columns that order the rows. */
  readonly by: readonly [string, ...string[]];
  readonly columns: DigestedColumns;
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
  /**
   * Set on kinds whose digests are written with every event of a transaction that changes a row: a trigger of the table notes the change, and the
   * salt, the revision and the newest event are in `covered_records`.
   */
  readonly noted?: {
    /** Column with the organization. */
    readonly organization: string;
    /** Permission to read the records in an export. */
    readonly permission: Permission;
    /** Row sets by the name of a column of type `rows`. A set of rows is never changed: a new version names another one. */
    readonly rows: Readonly<Record<string, CoveredRows>>;
  };
};
