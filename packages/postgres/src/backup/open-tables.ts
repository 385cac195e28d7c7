import type pg from 'pg';
import { KEPT_BY_MIGRATING } from './backup-part.ts';

const TABLES = `select c.oid, c.oid::regclass::text as name, c.relforcerowsecurity as forced from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> all ($1)`;

/** Foreign keys, and constraints that only later rows have to satisfy. */
const CONSTRAINTS = `
  select format('alter table %s drop constraint %I', conrelid::regclass, conname) as dropped,
         format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as added
    from pg_constraint where connamespace = 'public'::regnamespace and (contype = 'f' or contype = 'c' and not convalidated) and conparentid = 0
   order by conrelid, conname`;

/**
 * Removes what prevents inserting earlier rows from the tables: row-level security for an owner without superuser rights, triggers, and
 * constraints for later rows. Returns a function that restores all of it, and thereby checks every reference.
 */
export const openTables = async (client: pg.ClientBase): Promise<() => Promise<void>> => {
  const { rows: tables } = await client.query<{ name: string; forced: boolean }>(TABLES, [KEPT_BY_MIGRATING]);
  const { rows: constraints } = await client.query<{ dropped: string; added: string }>(CONSTRAINTS);
  const run = async (statements: readonly string[]): Promise<void> => {
    if (statements.length > 0) await client.query(statements.join('; '));
  };
  const forced = tables.filter((table) => table.forced);
  await run([
    ...constraints.map(({ dropped }) => dropped),
    ...tables.map(({ name }) => `alter table ${name} disable trigger user`),
    ...forced.map(({ name }) => `alter table ${name} no force row level security`),
  ]);
  return () =>
    run([
      ...constraints.map(({ added }) => added),
      ...tables.map(({ name }) => `alter table ${name} enable trigger user`),
      ...forced.map(({ name }) => `alter table ${name} force row level security`),
    ]);
};
