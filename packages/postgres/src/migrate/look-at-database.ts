import type pg from 'pg';
import { DatabaseServerFault } from './database-server-fault.ts';

export type FoundDatabase = {
  /** The installation of the database; undefined if it is empty, or of a version that did not store it yet. */
  readonly installation: { readonly id: string; readonly key_check: string } | undefined;
  /** Name and checksum of every migration it has run. */
  readonly applied: ReadonlyMap<string, string>;
};

const FIRST = '0001_tenancy_and_people.sql';

/** Everything of people's in the database: what the server brings along, and what belongs to an extension, is not. */
const OBJECTS = `
  with schemas as (
    select n.oid, n.nspname as name from pg_namespace n
     where n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_(toast|temp)'
       and not exists (select from pg_depend d where d.classid = 'pg_namespace'::regclass and d.objid = n.oid and d.deptype = 'e'))
  select 'schema ' || name as object from schemas where name <> 'public'
  union all
  select case c.relkind when 'S' then 'sequence ' when 'v' then 'view ' when 'm' then 'view ' else 'table ' end || s.name || '.' || c.relname
    from pg_class c join schemas s on s.oid = c.relnamespace
   where c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
     and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  union all
  select 'function ' || s.name || '.' || p.proname from pg_proc p join schemas s on s.oid = p.pronamespace
   where not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  order by 1`;

const columnsOf = async (client: pg.ClientBase, table: string): Promise<string> => {
  const { rows } = await client.query<{ columns: string | null }>(
    `select string_agg(attname, ' ' order by attnum) as columns from pg_attribute
      where attrelid = to_regclass('public.' || $1) and attnum > 0 and not attisdropped`,
    [table],
  );
  return rows[0]?.columns ?? '';
};

const refuseForeign = async (client: pg.ClientBase, objects: readonly string[]): Promise<never> => {
  const { rows } = await client.query<{ name: string }>('select current_database() as name');
  const others = objects.length > 3 ? ` and ${objects.length - 3} more` : '';
  throw new DatabaseServerFault(
    `The database "${rows[0]?.name}" contains other data (${objects.slice(0, 3).join(', ')}${others}) and was not changed. Create an empty database for this service with "create database governance", and use that one.`,
  );
};

const assertReadable = async (client: pg.ClientBase): Promise<void> => {
  const { rows } = await client.query<{ readable: boolean; owner: string; user: string }>(
    `select has_table_privilege(oid, 'select') as readable, pg_get_userbyid(relowner) as owner, current_user as "user"
       from pg_class where oid = 'public.schema_migrations'::regclass`,
  );
  const [table] = rows;
  if (table === undefined || table.readable) return;
  throw new DatabaseServerFault(
    `The tables of this database belong to "${table.owner}", and "${table.user}" cannot read them. Start with the user that owns them. Nothing was changed.`,
  );
};

/** Inspects a database without changing anything. Refuses one that is not empty and not of this service. */
export const lookAtDatabase = async (client: pg.ClientBase): Promise<FoundDatabase> => {
  const { rows } = await client.query<{ object: string }>(OBJECTS);
  const objects = rows.map(({ object }) => object);
  if (objects.length === 0) return { installation: undefined, applied: new Map() };
  if ((await columnsOf(client, 'schema_migrations')) !== 'name checksum applied_at') return refuseForeign(client, objects);
  await assertReadable(client);
  const ran = await client.query<{ name: string; checksum: string }>('select name, checksum from public.schema_migrations');
  const applied = new Map(ran.rows.map(({ name, checksum }) => [name, checksum]));
  if (!applied.has(FIRST) && !objects.every((object) => object === 'table public.schema_migrations')) return refuseForeign(client, objects);
  if ((await columnsOf(client, 'installation')) === '') return { installation: undefined, applied };
  const kept = await client.query<{ id: string; key_check: string }>('select id, key_check from public.installation');
  return { installation: kept.rows[0], applied };
};
