import type { Delegation, RevocationPreview } from '@svc/contract/agents/delegations/shapes.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { statusAt, toWire } from './delegation-row.ts';

/** Returns one delegation in the caller's scope. */
export const findDelegation = async (
  tx: TenantTransaction,
  organizationId: string,
  id: string,
  now: Date,
): Promise<Delegation | undefined> => {
  const row = await tx
    .selectFrom('delegations')
    .selectAll()
    .select(statusAt(now).as('status'))
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && toWire(row);
};

/** Reads what ends with a delegation, and what remains for the agents that lose one. */
export const previewRevocation = async (
  tx: TenantTransaction,
  organizationId: string,
  id: string,
  now: Date,
): Promise<Omit<RevocationPreview, 'delegation_id'>> => {
  const { rows } = await sql<Omit<RevocationPreview, 'delegation_id'>>`
    with ending as materialized (
      select d.id, d.parent_id, d.delegate_agent_id, d.depth, d.path
        from delegations m join delegations d on d.organization_id = m.organization_id and d.path >= m.path and d.path < m.path || '0'
       where m.organization_id = ${organizationId} and m.id = ${id} and d.status = 'ACTIVE' and (d.expires_at is null or d.expires_at > ${now})
       limit ${LIMITS.bulk.countedMax}),
    losing as (select distinct delegate_agent_id as agent_id from ending limit ${LIMITS.delegations.previewedMax}),
    remaining as (
      select l.agent_id, count(d.id)::int as n, count(d.id) filter (where d.delegator_user_id is not null)::int as from_people
        from losing l left join delegations d on d.organization_id = ${organizationId} and d.delegate_agent_id = l.agent_id
          and d.status = 'ACTIVE' and (d.expires_at is null or d.expires_at > ${now}) and not exists (select from ending e where e.id = d.id)
       group by l.agent_id)
    select (select count(*)::int from ending) as total,
      (select coalesce(json_agg(json_build_object('id', e.id, 'parent_id', e.parent_id, 'delegate_agent_id', e.delegate_agent_id,
           'agent_name', coalesce(a.name, ''), 'depth', e.depth) order by e.path), '[]')
         from (select * from ending order by path limit ${LIMITS.delegations.previewedMax}) e
         left join agents a on a.organization_id = ${organizationId} and a.id = e.delegate_agent_id) as delegations,
      (select coalesce(json_agg(json_build_object('agent_id', r.agent_id, 'name', coalesce(a.name, ''), 'delegations_left', r.n,
           'pending_approvals', (select count(*)::int from approvals p where p.organization_id = ${organizationId}
              and p.agent_id = r.agent_id and p.status = 'PENDING'),
           'grants_come_back', r.from_people = 0 and exists (select from agent_capabilities c
              where c.organization_id = ${organizationId} and c.agent_id = r.agent_id)) order by a.name, r.agent_id), '[]')
         from remaining r left join agents a on a.organization_id = ${organizationId} and a.id = r.agent_id) as agents`.execute(tx);
  return rows[0] ?? { total: 0, delegations: [], agents: [] };
};
