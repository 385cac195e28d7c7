import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { readMemberRole } from '../../people/auth/member-rights.ts';

/** Locks a person's own delegations, in the order of the code that ends them, and before anything else of them is locked. */
export const lockDelegationsByPerson = async (tx: TenantTransaction, organizationId: string, userIds: readonly string[]): Promise<void> => {
  await sql`select from delegations where organization_id = ${organizationId} and delegator_user_id = any (${[...userIds]}::text[])
     and status = 'ACTIVE' order by depth, id for update`.execute(tx);
};

/**
 * Records for people's delegations if each could be given now: by a member since before, who may delegate and sees the agent. A delegation
 * that lost
 * its person for good stays so, even if the person returns. Returns how many stopped being valid. Needs the whole organization, and
 * increases the epochs of the agents concerned.
 */
export const noteBacking = async (tx: TenantTransaction, organizationId: string, userIds: readonly string[]): Promise<number> => {
  const { rows } = await sql<{ lost: number }>`
    with judged as materialized (
      select d.id, d.backing as before, case when m.id is null then 'GONE'
          when 'delegation:create' = any (r.permissions) and (not m.is_limited or d.workspace_ids <@ array(
            select w.workspace_id from member_workspaces w where w.organization_id = m.organization_id and w.member_id = m.id)) then 'HELD'
          else 'LACKED' end as now
        from delegations d
        left join members m on m.organization_id = d.organization_id and m.user_id = d.delegator_user_id and m.created_at <= d.created_at
        ${readMemberRole('m')}
       where d.organization_id = ${organizationId} and d.delegator_user_id = any (${[...userIds]}::text[]) and d.status = 'ACTIVE'
         and d.backing <> 'GONE'),
    noted as (
      update delegations d set backing = j.now from judged j where d.organization_id = ${organizationId} and d.id = j.id and j.now <> j.before
      returning j.before)
    select count(*) filter (where n.before = 'HELD')::int as lost from noted n`.execute(tx);
  return rows[0]?.lost ?? 0;
};
