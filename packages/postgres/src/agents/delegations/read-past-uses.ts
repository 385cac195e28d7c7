import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** An action that was let run, with its amount in minor units. */
export type PastUse = { readonly used_at: string; readonly amount: number | null; readonly currency: string | null };

export type PastUses = {
  readonly organizationId: string;
  readonly delegationId: string;
  /** No requested use has a smaller identifier. */
  readonly firstActionId: string;
};

type Row = { readonly below: number; readonly looked: number; readonly uses: readonly PastUse[] };

const { pastUsesMax } = LIMITS.delegations;

/**
 * Returns the recorded uses of a delegation and everything below, oldest first; 'too_many' if more rows would have to be
 * read than one change may cost. Held or refused actions used nothing; an observed one used what ENFORCE would have allowed.
 */
export const readPastUses = async (
  tx: TenantTransaction,
  { organizationId, delegationId, firstActionId }: PastUses,
): Promise<readonly PastUse[] | 'too_many'> => {
  const { rows } = await sql<Row>`
    with below as materialized (
      select d.id, d.delegate_agent_id from delegations top
        join delegations d on d.organization_id = top.organization_id and d.path >= top.path and d.path < top.path || '0'
       where top.organization_id = ${organizationId} and top.id = ${delegationId} limit ${pastUsesMax + 1}),
    looked as materialized (
      select a.* from (select distinct delegate_agent_id as id from below) g
       cross join lateral (
         select x.id, x.created_at, x.amount, x.currency, x.status, x.code, x.approval_id, x.given_back_at,
                x.explanation -> 'authority' ->> 'delegation_id' as delegation_id
           from actions x where x.organization_id = ${organizationId} and x.agent_id = g.id and x.id >= ${firstActionId}
          order by x.id desc limit ${pastUsesMax + 1}) a
       limit ${pastUsesMax + 1}),
    used as (
      select coalesce(case when p.action_id = l.id then p.consumed_at end, l.created_at) as used_at, l.amount, l.currency
        from looked l left join approvals p on p.organization_id = ${organizationId} and p.id = l.approval_id
       where l.delegation_id in (select id from below) and l.given_back_at is null
         and (l.status in ('ALLOWED', 'EXECUTING', 'COMPLETED', 'FAILED', 'UNKNOWN') or (l.status = 'OBSERVED' and l.code is null)))
    select (select count(*)::int from below) as below, (select count(*)::int from looked) as looked,
           coalesce((select json_agg(json_build_object('used_at', used_at, 'amount', amount, 'currency', currency) order by used_at)
             from used), '[]') as uses`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('past uses were asked for and not answered');
  return row.below > pastUsesMax || row.looked > pastUsesMax ? 'too_many' : row.uses;
};
