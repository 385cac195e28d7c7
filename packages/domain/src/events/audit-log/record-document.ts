import type { ColumnType, RecordKind, RecordPart } from './record-kinds/record-kind.ts';

/** The input of a digest, as RFC 8785 canonical JSON: the covered columns of a row, and the identity of the row and part. */
export type RecordDocument = {
  readonly columns: Readonly<Record<string, string | null>>;
  readonly digest: string;
  readonly digest_version: number;
  readonly organization_id: string;
  readonly record_id: string;
  readonly record_type: string;
  readonly salt: string | null;
};

/** A row that is covered by digests, each column as the text that `ColumnType` describes. */
export type RecordRow = {
  readonly organization_id: string;
  readonly id: string;
  /** Hex; null on a row that no event covers. */
  readonly salt: string | null;
  readonly columns: Readonly<Record<string, string | null>>;
  /** True for a covered record without a row: its document has no columns. */
  readonly isAbsent?: boolean;
  /** The newest event that covers a noted record, as the database states it. */
  readonly eventId?: string | null;
};

/** Builds the document of a part of a record; undefined for a digest version that this release does not know. */
export const buildRecordDocument = (kind: RecordKind, part: RecordPart, version: number, row: RecordRow): RecordDocument | undefined => {
  const names = part.versions[version];
  if (names === undefined) return undefined;
  const columns: Record<string, string | null> = {};
  for (const name in row.isAbsent ? {} : names) columns[name] = row.columns[name] ?? null;
  const { organization_id, id: record_id, salt } = row;
  return { columns, digest: part.digest, digest_version: version, organization_id, record_id, record_type: kind.type, salt };
};

const MILLISECONDS = /\.(\d{3})Z$/;

/** Returns a value as the database will return it after a write: an ill-formed text is stored with U+FFFD for its unpaired surrogates. */
export const formatColumnText = (type: ColumnType, value: string | number | null): string | null => {
  if (value === null) return null;
  if (type === 'timestamptz') return String(value).replace(MILLISECONDS, '.$1000Z');
  return typeof value === 'number' ? String(value) : value.toWellFormed();
};
