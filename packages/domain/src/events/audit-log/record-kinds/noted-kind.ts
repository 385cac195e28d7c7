import type { Permission } from '@svc/contract/tables/permissions.ts';
import type { ColumnType, CoveredRows, DigestedColumns, RecordKind } from './record-kind.ts';

/** The member of event data with the digests of noted records. */
export const RECORD_DIGESTS = 'record_digests';

/** The name of the only part of a noted record. */
const ROW = 'row_digest';

type NotedKind<Type extends string> = {
  readonly type: Type;
  readonly table: string;
  readonly permission: Permission;
  /** Columns by type; the names of `rows` are added. */
  readonly columns: DigestedColumns;
  /** Columns that later digest versions add, one set for each version from the second. */
  readonly added?: readonly DigestedColumns[];
  readonly key?: RecordKind['key'];
  readonly organization?: string;
  readonly rows?: Readonly<Record<string, CoveredRows>>;
};

const sorted = (columns: DigestedColumns): DigestedColumns =>
  Object.fromEntries(Object.entries(columns).toSorted(([one], [other]) => (one < other ? -1 : 1)));

/** Builds a kind whose changes a trigger of its table notes. Its digest covers these columns, and the rows that belong to it. */
export const getNotedKind = <const Type extends string>({
  type,
  table,
  permission,
  columns,
  added = [],
  key = ['id'],
  organization = 'organization_id',
  rows = {},
}: NotedKind<Type>) => {
  const names = Object.keys(rows).map((name): [string, ColumnType] => [name, 'rows']);
  const versions = Object.fromEntries(
    [{}, ...added].map((_, at) => [at + 1, sorted(Object.assign({}, columns, Object.fromEntries(names), ...added.slice(0, at)))]),
  );
  return {
    type,
    table,
    key,
    parts: [{ digest: ROW, version: added.length + 1, versions, writtenWith: [] }],
    recordIdOf: () => undefined,
    subjects: [],
    noted: { organization, permission, rows },
  } as const satisfies RecordKind;
};
