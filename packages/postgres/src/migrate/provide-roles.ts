import pg from 'pg';
import { clientConfig, DATABASE_ROLES, type DatabaseRole } from '../connection/connect.ts';
import { DatabaseServerFault } from './database-server-fault.ts';
import type { Installation } from './installation.ts';

const TIMEOUT_MS = 10_000;
const WRONG_PASSWORD = '28P01';

/** A server that requires no password does not know the role; the same code means that connections from here are rejected. */
const isUnknownRole = ({ code, routine }: pg.DatabaseError): boolean => code === '28000' && routine === 'InitializeSessionUserId';

/** Returns true if an existing role accepts this installation's password; any other obstacle is thrown. */
const takesPassword = async (ownerUrl: string, role: DatabaseRole, { loginOf }: Installation): Promise<boolean> => {
  const client = new pg.Client(clientConfig({ url: ownerUrl, role, ...loginOf(role), connectionsMax: 1, timeoutMs: TIMEOUT_MS }));
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch (error) {
    if (error instanceof pg.DatabaseError && (error.code === WRONG_PASSWORD || isUnknownRole(error))) return false;
    throw error;
  } finally {
    await client.end();
  }
};

type Known = { readonly name: string; readonly too_mighty: boolean };

const assertModest = (known: readonly Known[]): void => {
  for (const { name, too_mighty } of known)
    if (too_mighty)
      throw new DatabaseServerFault(
        `The role ${name} has more privileges than a plane may have. Revoke them with "alter role ${name} nosuperuser nobypassrls nocreatedb nocreaterole noreplication"; nothing was changed.`,
      );
};

/**
 * Creates the roles of the planes. An existing one is left unchanged, unless its password differs. Uses only clauses that
 * an owner without superuser rights may use: a new role has no such rights by default.
 */
const makeRoles = async (client: pg.ClientBase, ownerUrl: string, installation: Installation): Promise<void> => {
  const users = DATABASE_ROLES.map((role) => installation.loginOf(role).user);
  const { rows: known } = await client.query<Known>(
    `select rolname as name, rolsuper or rolbypassrls or rolcreatedb or rolcreaterole or rolreplication as too_mighty
       from pg_roles where rolname = any ($1)`,
    [users],
  );
  assertModest(known);
  for (const role of DATABASE_ROLES) {
    const { user, password } = installation.loginOf(role);
    const isThere = known.some(({ name }) => name === user);
    if (isThere && (await takesPassword(ownerUrl, role, installation))) continue;
    const verb = isThere ? 'alter' : 'create';
    await client.query(`${verb} role ${pg.escapeIdentifier(user)} login password ${pg.escapeLiteral(password)}`);
  }
};

/** Grants connection to the roles, and to no one else: a grant to PUBLIC would include every other user of the server. */
const openDoors = async (client: pg.ClientBase, installation: Installation): Promise<void> => {
  const { rows } = await client.query<{ statement: string }>(
    `select 'revoke all on schema public from public' as statement from pg_namespace n
      where n.nspname = 'public' and exists (select from aclexplode(n.nspacl) where grantee = 0)
     union all
     select format('grant usage on schema public to %I', r.rolname) from pg_roles r, pg_namespace n
      where r.rolname = any ($1) and n.nspname = 'public' and not exists (select from aclexplode(n.nspacl) where grantee = r.oid)
     union all
     select format('grant connect on database %I to %I', current_database(), r.rolname) from pg_roles r
      where r.rolname = any ($1) and not has_database_privilege(r.oid, current_database(), 'connect')`,
    [DATABASE_ROLES.map((role) => installation.loginOf(role).user)],
  );
  for (const { statement } of rows) await client.query(statement);
};

/** Provides everything that the planes need to log in; sends no statement if that is done already. */
export const provideRoles = async (client: pg.ClientBase, ownerUrl: string, installation: Installation): Promise<void> => {
  await makeRoles(client, ownerUrl, installation);
  await openDoors(client, installation);
};
