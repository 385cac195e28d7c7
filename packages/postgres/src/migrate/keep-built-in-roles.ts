import { BUILT_IN_ROLES, isKeyRole } from '@svc/contract/tables/built-in-roles.ts';
import type pg from 'pg';

/** A table of the contract as rows, and what of it is not so in the database. */
const WANTED = `
  select w.id, w.name, w.description, w.permissions, w.for_keys
    from jsonb_to_recordset($1) as w (id text, name text, description text, permissions text[], for_keys boolean)
    full join (select * from roles where organization_id is null) r on r.id = w.id
   where (w.name, w.description, w.permissions, w.for_keys) is distinct from (r.name, r.description, r.permissions, r.for_keys)`;

const INSERT = `
  insert into roles (id, name, description, permissions, for_keys) select id, name, description, permissions, for_keys
    from jsonb_to_recordset($1) as w (id text, name text, description text, permissions text[], for_keys boolean)`;

/**
 * Restores the built-in roles of the contract and reverts all changes of their rows: at each migration, so at each start. A new permission
 * in the contract needs no migration. Locks the table only if something differs.
 */
export const keepBuiltInRoles = async (client: pg.ClientBase): Promise<void> => {
  const roles = JSON.stringify(BUILT_IN_ROLES.map((role) => ({ ...role, for_keys: isKeyRole(role.id) })));
  const { rowCount } = await client.query(WANTED, [roles]);
  if (rowCount === 0) return;
  await client.query('alter table roles no force row level security');
  // First deletes all of them, under any name: then no name or identifier conflicts.
  await client.query('delete from roles where organization_id is null or id = any ($1)', [BUILT_IN_ROLES.map(({ id }) => id)]);
  await client.query(INSERT, [roles]);
  await client.query('alter table roles force row level security');
};
