import type { ColumnType, CoveredRows, DigestedColumns, RecordKind } from '@svc/domain/events/audit-log/record-kinds/record-kind.ts';
import { type RawBuilder, sql } from 'kysely';

type AsText = (column: RawBuilder<unknown>) => RawBuilder<unknown>;

const castToText: AsText = (column) => sql`${column}::text`;

const AS_TEXT: Readonly<Record<Exclude<ColumnType, 'rows'>, AsText>> = {
  text: (column) => column,
  json: castToText,
  bigint: castToText,
  value: castToText,
  bytea: (column) => sql`encode(${column}, 'hex')`,
  fingerprint: (column) => sql`encode(sha256(${column}), 'hex')`,
  timestamptz: (column) => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
};

const columnAsText = (alias: string, name: string, type: ColumnType): RawBuilder<unknown> => {
  if (type === 'rows') throw new Error(`${name} is a set of rows, not a column`);
  return AS_TEXT[type](sql.ref(`${alias}.${name}`));
};

const pairs = (columns: DigestedColumns) =>
  Object.entries(columns).map(([name, type]) => sql`${sql.lit(name)}, ${columnAsText('c', name, type)}`);

/** The rows of another table that belong to the row `r`, as a JSON array. */
const rowsAsText = (kind: RecordKind, { table, of, by, columns }: CoveredRows): RawBuilder<unknown> => {
  const isOfRecord = of.map((name, n) => sql`c.${sql.ref(name)} = r.${sql.ref(kind.key[n] ?? '')}`);
  return sql`(select coalesce(json_agg(json_build_object(${sql.join(pairs(columns))}) order by ${sql.join(by.map((name) => sql`c.${sql.ref(name)}`))}), '[]')::text
      from ${sql.table(table)} c where c.organization_id = r.organization_id and ${sql.join(isOfRecord, sql` and `)})`;
};

/** Every column that some version of some part covers, with its type. */
const listColumns = ({ parts }: RecordKind): readonly (readonly [string, ColumnType])[] => [
  ...new Map(parts.flatMap(({ versions }) => Object.values(versions).flatMap((columns) => Object.entries(columns)))),
];

/** The list of a select that reads the covered columns of rows `r` of a kind as they are digested. */
export const coveredColumns = (kind: RecordKind): RawBuilder<unknown> =>
  sql.join(
    listColumns(kind).map(([name, type]) => {
      const rows = kind.noted?.rows[name];
      const text = type === 'rows' && rows !== undefined ? rowsAsText(kind, rows) : columnAsText('r', name, type);
      return sql`${text} as ${sql.ref(name)}`;
    }),
  );
