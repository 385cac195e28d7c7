import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

export type SeenLibrary = { readonly name: string; readonly version: string; readonly agents: number; readonly last_seen_at: string };

export type SeenLibraries = {
  /** The most used first. */
  readonly libraries: readonly SeenLibrary[];
  readonly others: { readonly libraries: number; readonly agents: number };
  readonly agents: number;
  readonly unseen: number;
  readonly counted_all: boolean;
};

type Row = SeenLibrary & { readonly pairs: number };
type Totals = { readonly agents: number; readonly seen: number; readonly rows: readonly Row[] };

const { recipientsMax, agentsMax } = LIMITS.clientLibraries;

/** Returns the client libraries that active agents reported at their last sign-in. */
export const readClientLibraries = async (tx: TenantTransaction, organizationId: string): Promise<SeenLibraries> => {
  const { rows } = await sql<Totals>`
    with fleet as materialized (
      select a.id from agents a where a.organization_id = ${organizationId} and a.status not in ('REVOKED', 'DECOMMISSIONED', 'EXPIRED')
       order by a.id desc limit ${agentsMax + 1}),
    seen as materialized (
      select s.sdk ->> 'name' as name, s.sdk ->> 'version' as version, s.created_at from fleet f cross join lateral (
        select n.sdk, n.created_at from agent_sessions n
         where n.organization_id = ${organizationId} and n.agent_id = f.id order by n.created_at desc limit 1) s),
    told as (
      select name, version, count(*)::int as agents, max(created_at) as last_seen_at, (count(*) over ())::int as pairs
        from seen group by name, version order by count(*) desc, name, version limit ${recipientsMax})
    select (select count(*)::int from fleet) as agents, (select count(*)::int from seen) as seen,
           (select coalesce(json_agg(t), '[]') from told t) as rows`.execute(tx);
  const [found] = rows;
  if (found === undefined) throw new Error('a count without a source has one row');
  const told = found.rows.reduce((sum, { agents }) => sum + agents, 0);
  return {
    libraries: found.rows.map(({ pairs: _, last_seen_at, ...row }) => ({ ...row, last_seen_at: new Date(last_seen_at).toISOString() })),
    others: { libraries: (found.rows[0]?.pairs ?? 0) - found.rows.length, agents: found.seen - told },
    agents: found.agents,
    unseen: found.agents - found.seen,
    counted_all: found.agents <= agentsMax,
  };
};
