import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** Sessions that ended before one moment are obsolete, and those begun before the other have no nonce that is still needed. */
export type OldSessions = { readonly expiredBefore: Date; readonly begunBefore: Date };

/** The newest session of an agent is kept, since it shows when the agent was last seen. */
const isOldSession = ({ expiredBefore, begunBefore }: OldSessions): RawBuilder<boolean> => sql`s.expires_at <= ${expiredBefore}
   and s.created_at <= ${begunBefore} and exists (
  select from agent_sessions n where n.organization_id = s.organization_id and n.agent_id = s.agent_id
     and (n.created_at, n.id) > (s.created_at, s.id))`;

/** Organizations with agent sessions that are of no use any more. */
export const findOrganizationsWithOldAgentSessions = async (identity: Database, old: OldSessions): Promise<string[]> => {
  const { rows } = await sql<{ organization_id: string }>`
    select s.organization_id from agent_sessions s where ${isOldSession(old)}
     union select organization_id from ended_agent_sessions where expires_at <= ${old.expiredBefore}`.execute(identity);
  return rows.map((row) => row.organization_id);
};

/** Deletes at most `limit` of each; returns the numbers. */
export const deleteOldAgentSessions = async (
  tx: TenantTransaction,
  organizationId: string,
  old: OldSessions,
  limit: number,
): Promise<number> => {
  const sessions = await sql`
    delete from agent_sessions where organization_id = ${organizationId} and id in (
      select s.id from agent_sessions s where s.organization_id = ${organizationId} and ${isOldSession(old)}
       order by s.expires_at limit ${limit})`.execute(tx);
  const ended = await sql`
    delete from ended_agent_sessions where organization_id = ${organizationId} and session_id in (
      select session_id from ended_agent_sessions where organization_id = ${organizationId} and expires_at <= ${old.expiredBefore} limit ${limit})`.execute(
    tx,
  );
  return Math.max(Number(sessions.numAffectedRows ?? 0), Number(ended.numAffectedRows ?? 0));
};
