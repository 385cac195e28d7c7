import type pg from 'pg';

/** Tables of an organization with their time columns. Audit events are excluded: they are signed. */
const TIMES = `
  select format('%I', c.table_name) as name,
         string_agg(format('%1$I = %1$I - make_interval(secs => $2)', c.column_name), ', ') as assignments
    from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
   where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type = 'timestamp with time zone' and c.is_generated = 'NEVER'
     and c.table_name not like 'audit\\_%'
     and exists (select from information_schema.columns o
                  where o.table_schema = 'public' and o.table_name = c.table_name and o.column_name = 'organization_id')
   group by c.table_name`;

/** Cached snapshots of planes have another epoch afterwards, and are loaded again. */
const EPOCHS = ['environment_epochs', 'agent_epochs'];

/**
 * Lets time pass for one organization: moves every stored time into the past. Expiry, overdue work and rates in force are then as after so
 * many seconds of waiting. Access tokens of agents and events of the audit log keep their times.
 */
export const advanceTime = async (owner: pg.Client, organizationId: string, seconds: number): Promise<void> => {
  const { rows } = await owner.query<{ name: string; assignments: string }>(TIMES);
  await owner.query('begin');
  try {
    // Guards of immutable rows, and times set by triggers, do not apply here.
    await owner.query("set local session_replication_role = 'replica'");
    for (const { name, assignments } of rows)
      await owner.query(`update ${name} set ${assignments} where organization_id = $1`, [organizationId, seconds]);
    for (const name of EPOCHS)
      await owner.query(`update ${name} set epoch = svc_next_epoch(epoch) where organization_id = $1`, [organizationId]);
    await owner.query('commit');
  } catch (error) {
    await owner.query('rollback');
    throw error;
  }
};
