import type pg from 'pg';

/** Parts of a database that no tenant owns: the schema of every table, its triggers, permissions, and the keys of the installation. */
const PARTS = [
  "select relname, relkind, relacl::text, relrowsecurity, relforcerowsecurity from pg_class where relnamespace = 'public'::regnamespace",
  `select attrelid::regclass::text, attname, atttypid, attnotnull, attacl::text from pg_attribute
     where attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace) and attnum > 0`,
  "select conname, conrelid::regclass::text, pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace",
  'select tgname, tgrelid::regclass::text, tgenabled from pg_trigger',
  "select proname, prosrc, proacl::text from pg_proc where pronamespace = 'public'::regnamespace",
  'select tablename, policyname, qual, with_check from pg_policies',
  'select setdatabase = 0 as of_server, setconfig from pg_db_role_setting where setdatabase = (select oid from pg_database where datname = current_database())',
  'select to_jsonb(k) from platform_keys k',
];

/** Returns a fingerprint. Equal values mean that the database itself is unaltered, which lessees must not change. */
export const readFingerprint = async (owner: pg.Client): Promise<string> => {
  const digests = PARTS.map((part) => `(select coalesce(md5(string_agg(p::text, ',' order by p::text)), '') from (${part}) p)`);
  const { rows } = await owner.query<{ of: string }>(`select concat_ws(' ', ${digests.join(', ')}) as of`);
  return rows[0]?.of ?? '';
};
