import type pg from 'pg';
import { DATABASE_ROLES } from '../connection/connect.ts';
import type { Installation } from './installation.ts';

/** Privileges of a role in this database, as statements that transfer and revoke them. */
const HELD = `
  with held as (
    select a.grantee, a.privilege_type, 'table ' || c.oid::regclass as object, null as part
      from pg_class c, aclexplode(c.relacl) a where c.relkind in ('r', 'p', 'v', 'm')
    union all
    select a.grantee, a.privilege_type, 'sequence ' || c.oid::regclass, null from pg_class c, aclexplode(c.relacl) a where c.relkind = 'S'
    union all
    select a.grantee, a.privilege_type, 'table ' || c.attrelid::regclass, quote_ident(c.attname) from pg_attribute c, aclexplode(c.attacl) a
    union all
    select a.grantee, a.privilege_type, 'schema ' || quote_ident(n.nspname), null from pg_namespace n, aclexplode(n.nspacl) a
    union all
    select a.grantee, a.privilege_type, 'database ' || quote_ident(d.datname), null from pg_database d, aclexplode(d.datacl) a
     where d.datname = current_database())
  select format('grant %s on %s to %I', h.privilege_type || coalesce('(' || h.part || ')', ''), h.object, $2::text) as given,
         format('revoke %s on %s from %I', h.privilege_type || coalesce('(' || h.part || ')', ''), h.object, r.rolname) as taken
    from held h join pg_roles r on r.oid = h.grantee where r.rolname = $1`;

const POLICIES = `
  select format('alter policy %I on %I.%I to', policyname, schemaname, tablename) as change, roles::text[] as roles
    from pg_policies where roles && $1::name[]`;

const UNUSED = `
  select format('drop role %I', r.rolname) as statement from pg_roles r
   where r.rolname = any ($1) and (select rolsuper from pg_roles where rolname = current_user)
     and not exists (select from pg_shdepend d where d.refclassid = 'pg_authid'::regclass and d.refobjid = r.oid)`;

/**
 * Transfers everything that the server-wide roles have in this database to those of the installation. The old roles are dropped when no
 * other database uses them.
 */
export const carryRoles = async (client: pg.ClientBase, installation: Installation): Promise<void> => {
  const former: readonly string[] = DATABASE_ROLES;
  const users = new Map(DATABASE_ROLES.map((role) => [role as string, installation.loginOf(role).user]));
  const { rows: policies } = await client.query<{ change: string; roles: string[] }>(POLICIES, [former]);
  for (const { change, roles } of policies)
    await client.query(`${change} ${roles.map((role) => `"${users.get(role) ?? role}"`).join(', ')}`);
  for (const [role, user] of users) {
    const { rows: held } = await client.query<{ given: string; taken: string }>(HELD, [role, user]);
    for (const { given, taken } of held) await client.query(`${given}; ${taken}`);
  }
  const { rows: unused } = await client.query<{ statement: string }>(UNUSED, [former]);
  for (const { statement } of unused) await client.query(statement);
};
