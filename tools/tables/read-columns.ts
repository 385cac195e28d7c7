import type pg from 'pg';

export type Column = {
  readonly table: string;
  readonly name: string;
  /** PostgreSQL's own name: `text`, `int4`, `_text` for a list of texts. */
  readonly type: string;
  readonly nullable: boolean;
  readonly hasDefault: boolean;
  readonly comment: string | null;
};

export type Table = { readonly name: string; readonly comment: string | null; readonly columns: readonly Column[] };

/** Reads every table of a database with its current columns; partitions belong to their table. */
export const readTables = async (database: pg.Client): Promise<readonly Table[]> => {
  const tables = await database.query<{ oid: number; name: string; comment: string | null }>(
    `select oid, relname as name, obj_description(oid, 'pg_class') as comment from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by relname collate "C"`,
  );
  const columns = await database.query<Column>(
    `select c.relname as table, a.attname as name, t.typname as type, not a.attnotnull as nullable, a.atthasdef as "hasDefault",
            col_description(c.oid, a.attnum) as comment
       from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
      where c.oid = any ($1) and a.attnum > 0 and not a.attisdropped order by a.attnum`,
    [tables.rows.map(({ oid }) => oid)],
  );
  return tables.rows.map(({ name, comment }) => ({ name, comment, columns: columns.rows.filter(({ table }) => table === name) }));
};
