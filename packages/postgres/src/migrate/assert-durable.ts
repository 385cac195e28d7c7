import type { Client } from 'pg';
import { DatabaseServerFault } from './database-server-fault.ts';

/**
 * A decision that was answered must be on record after a crash, so a server that may forget commits is not used. On one that is shared with
 * others, what they set for their own roles and databases is theirs.
 */
export const assertDurable = async (client: Client, { shared = false } = {}): Promise<void> => {
  const faults = [...(await weakSettings(client)), ...(await weakRoleSettings(client, shared))];
  if (faults.length === 0) return;
  throw new DatabaseServerFault(
    `The database may lose committed records in a crash (${faults.join(', ')}). Turn on fsync, full_page_writes and synchronous_commit.`,
  );
};

const weakSettings = async (client: Client): Promise<readonly string[]> => {
  const { rows } = await client.query<{ name: string; setting: string }>(
    `select name, setting from pg_catalog.pg_settings
      where (name in ('fsync', 'full_page_writes') and setting <> 'on')
         or (name = 'synchronous_commit' and setting not in ('on', 'remote_apply'))`,
  );
  return rows.map(({ name, setting }) => `${name} is ${setting}`);
};

/** Finds settings of a database or a role, which this session does not show. */
const weakRoleSettings = async (client: Client, shared: boolean): Promise<readonly string[]> => {
  const { rows } = await client.query<{ role: string | null; setting: string }>(
    `select r.rolname as role, s.setting
       from pg_catalog.pg_db_role_setting d
            cross join lateral unnest(d.setconfig) as s (setting)
            left join pg_catalog.pg_roles r on r.oid = d.setrole
      where s.setting like 'synchronous\\_commit=%' and s.setting not in ('synchronous_commit=on', 'synchronous_commit=remote_apply')
        and (not $1 or (d.setdatabase = 0 or d.setdatabase = (select oid from pg_catalog.pg_database where datname = current_database()))
                   and (d.setrole = 0 or r.rolname like 'svc\\_%'))`,
    [shared],
  );
  return rows.map(({ role, setting }) => `${setting} for ${role === null ? 'every role' : `role ${role}`}`);
};
