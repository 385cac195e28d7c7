import type pg from 'pg';

/**
 * Row-level security is forced, so an owner without superuser rights would see no row, and could not make a backup. This grants only
 * reading: a migration that changes rows switches the force off meanwhile, like earlier ones do.
 */
const MISSING = `
  select format('%s policy read_by_the_owner on %s %sto %I%s', case when p.oid is null then 'create' else 'alter' end, c.oid::regclass,
           case when p.oid is null then 'for select ' else '' end, pg_get_userbyid(c.relowner),
           case when p.oid is null then ' using (true)' else '' end) as statement
    from pg_class c left join pg_policy p on p.polrelid = c.oid and p.polname = 'read_by_the_owner'
   where c.relnamespace = 'public'::regnamespace and c.relforcerowsecurity and (p.oid is null or p.polroles <> array[c.relowner])`;

export const letOwnerRead = async (client: pg.ClientBase): Promise<void> => {
  const { rows } = await client.query<{ statement: string }>(MISSING);
  for (const { statement } of rows) await client.query(statement);
};
