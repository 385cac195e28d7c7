import pg from 'pg';
import { DatabaseServerFault } from './database-server-fault.ts';
import { asOwner } from './migrate.ts';

/** Lets an existing login read the wrapped key of the installation, which is all that programs read with it. */
export const grantPrograms = (ownerUrl: string, login: string): Promise<void> =>
  asOwner(ownerUrl, async (client) => {
    const { rows } = await client.query<{ is_there: boolean; database: string }>(
      'select exists (select from pg_roles where rolname = $1) as is_there, current_database() as database',
      [login],
    );
    const name = pg.escapeIdentifier(login);
    if (!rows[0]?.is_there)
      throw new DatabaseServerFault(`The login ${name} does not exist. Create it with "create role ${name} login password '...'".`);
    await client.query(`grant connect on database ${pg.escapeIdentifier(rows[0].database)} to ${name}`);
    await client.query(`grant usage on schema public to ${name}`);
    await client.query(`grant select on public.installation, public.installation_keys to ${name}`);
  });
