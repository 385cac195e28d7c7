import { sql } from 'kysely';
import type { Database } from '../connection/connect.ts';
import type { TenantTransaction } from '../connection/in-tenant.ts';

/** Minimum retention of a context after its last use, in hours. */
const HOURS_MIN = 1;

/** Organizations with flow contexts that may have ended. */
export const findOrganizationsWithEndedContexts = async (identity: Database, now: Date): Promise<string[]> => {
  const { rows } = await sql<{ organization_id: string }>`
    select distinct organization_id from agent_contexts
     where last_used_at < ${now}::timestamptz - make_interval(hours => ${HOURS_MIN}::int)`.execute(identity);
  return rows.map((row) => row.organization_id);
};

/** Deletes at most `limit` contexts that were not used for the time of their environment; returns how many. Nothing ends while uses are not folded. */
export const deleteEndedContexts = async (tx: TenantTransaction, organizationId: string, limit: number): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from agent_contexts where organization_id = ${organizationId} and id in (
      select x.id from agent_contexts x
        left join risk_settings r on r.organization_id = x.organization_id and r.environment_id = x.environment_id
       where x.organization_id = ${organizationId} and x.last_used_at < (select folded_through from conduct_progress)
             - make_interval(hours => coalesce((r.settings ->> 'context_hours')::int, 24), mins => 1)
       order by x.last_used_at limit ${limit})`.execute(tx);
  return Number(numAffectedRows ?? 0);
};
