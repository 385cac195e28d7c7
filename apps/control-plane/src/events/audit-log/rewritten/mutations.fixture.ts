import type { RecordKind } from '@svc/domain/events/audit-log/record-kinds/record-kind.ts';
import { RECORD_KINDS, RECORD_TYPES } from '@svc/domain/events/audit-log/record-kinds.ts';
import type pg from 'pg';
import { isUncovered } from './uncovered.fixture.ts';

/** A statement of the owner of the database that changes the row at `ctid`. */
export type RowMutation = { readonly table: string; readonly name: string; readonly statement: string; readonly isListed: boolean };

const kinds = RECORD_TYPES.map((type): RecordKind => RECORD_KINDS[type]);

/** Every table that digests cover. */
export const COVERED_TABLES: readonly string[] = [
  ...new Set(kinds.flatMap(({ table, noted }) => [table, ...Object.values(noted?.rows ?? {}).map((rows) => rows.table)])),
].toSorted();

/** A value that differs from what is stored in the row, and in a key from that of any other row, by the type of the column. */
const OTHER_VALUES: Readonly<Record<string, (column: string) => readonly string[]>> = {
  text: (column) => [`coalesce(${column}, '') || 'x'`, "'tampered'"],
  json: () => [`'{"tampered":true}'`, `'[{"tampered":[1]}]'`],
  jsonb: () => [`'{"tampered":true}'`, `'[{"tampered":[1]}]'`],
  bigint: (column) => [`coalesce(${column}, 0) + 1000`, '4711'],
  integer: (column) => [`coalesce(${column}, 0) + 1000`, '4711'],
  boolean: (column) => [`not coalesce(${column}, false)`],
  bytea: () => ["'\\xdeadbeef'", "'\\x00'"],
  ARRAY: () => ["'{4711}'", "'{4711,4712}'"],
  // In the future: a job would act at once on what ended now, and its event would state the row again.
  'timestamp with time zone': (column) => [
    `coalesce(${column}, now() + interval '1 day') + interval '1 microsecond'`,
    "now() + interval '9 years'",
  ],
};

type Column = { readonly name: string; readonly type: string; readonly isKey: boolean };
type Row = { readonly ctid: string; readonly nulls: Readonly<Record<string, unknown>> };

const ROWS_OF_EACH = 2;

/** Lists the changes of one row: each column set to other values and to null, and the row deleted. */
const ofRow = (table: string, columns: readonly Column[], { ctid, nulls }: Row): readonly RowMutation[] => {
  const at = `where ctid = '${ctid}'`;
  const updates = columns.flatMap(({ name, type, isKey }) => {
    const values = [...(OTHER_VALUES[type] ?? (() => []))(`"${name}"`), ...(nulls[name] === null || isKey ? [] : ['null'])];
    return values.map((value) => ({
      ...{ table, name: `${name} = ${value}`, isListed: isUncovered(table, name) },
      statement: `update ${table} set "${name}" = ${value} ${at}`,
    }));
  });
  return [...updates, { table, name: 'delete', statement: `delete from ${table} ${at}`, isListed: false }];
};

/** Drops NOT NULL and check constraints, as the owner of a database can; primary keys stay. */
export const dropConstraints = async (owner: pg.Client): Promise<void> => {
  const { rows } = await owner.query<{ statement: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as statement from pg_constraint
      where contype in ('c', 'n') and conrelid::regclass::text = any ($1)
        and not (contype = 'n' and exists (select from pg_index i where i.indisprimary and i.indrelid = conrelid and conkey[1] = any (i.indkey)))
      union all
     select format('alter table %s alter column %I drop not null', attrelid::regclass, attname) from pg_attribute
      where attrelid::regclass::text = any ($1) and attnum > 0 and attnotnull and current_setting('server_version_num')::int < 180000
        and not exists (select from pg_index i where i.indisprimary and i.indrelid = attrelid and attnum = any (i.indkey))`,
    [COVERED_TABLES],
  );
  for (const { statement } of rows) await owner.query(statement);
};

/** Lists every mutation of some rows of a table. */
export const listMutations = async (owner: pg.Client, organizationId: string, table: string): Promise<readonly RowMutation[]> => {
  const { rows: columns } = await owner.query<Column>(
    `select column_name as name, data_type as type,
            exists (select from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
                     where i.indisprimary and i.indrelid = table_name::regclass and a.attname = column_name) as "isKey"
       from information_schema.columns where table_schema = 'public' and table_name = $1 order by ordinal_position`,
    [table],
  );
  const organization = table === 'organizations' ? 'id' : 'organization_id';
  const { rows } = await owner.query<Row>(
    `select ctid::text, to_jsonb(t) as nulls from ${table} t where ${organization} = $1 order by 2::text desc limit $2`,
    [organizationId, ROWS_OF_EACH],
  );
  if (rows.length === 0) throw new Error(`there is no row in ${table}, so that nothing is tried`);
  return rows.flatMap((row) => ofRow(table, columns, row));
};
