import type pg from 'pg';

/**
 * A function of the owner removes the rows of a deleted organization, and row-level security applies to it too: it sees the rows of the
 * organization that the transaction names for removal, and people. From the audit it may remove what retention does, and see no more.
 */
const NOT_ERASABLE = `
  select format('create policy erased_by_the_owner on %s %sto %I using (%s)', c.oid::regclass,
           case c.relname when 'audit_events' then 'for delete ' else '' end, pg_get_userbyid(c.relowner),
           case when c.relname = 'audit_events' then 'organization_id = svc_retained()'
                when exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped) then 'organization_id = svc_erased()'
                when c.relname = 'organizations' then 'id = svc_erased()' else 'svc_erased() is not null' end) as statement
    from pg_class c left join pg_policy p on p.polrelid = c.oid and p.polname = 'erased_by_the_owner'
   where c.relnamespace = 'public'::regnamespace and c.relforcerowsecurity and p.oid is null and not c.relispartition
     and (c.relname <> 'audit_events' or to_regproc('svc_retained') is not null) and to_regproc('svc_erased') is not null`;

/** After a change of owner the database has obsolete policies for the former one. */
const OF_ANOTHER = `
  select format('alter policy erased_by_the_owner on %s to %I', c.oid::regclass, pg_get_userbyid(c.relowner)) as statement
    from pg_class c join pg_policy p on p.polrelid = c.oid and p.polname = 'erased_by_the_owner'
   where p.polroles <> array[c.relowner]`;

export const letOwnerErase = async (client: pg.ClientBase): Promise<void> => {
  for (const missing of [NOT_ERASABLE, OF_ANOTHER]) {
    const { rows } = await client.query<{ statement: string }>(missing);
    for (const { statement } of rows) await client.query(statement);
  }
};
