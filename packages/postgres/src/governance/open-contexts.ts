import { RISK_LIMITS } from '@svc/contract/tables/limits/risk-limits.ts';
import { ALL_CONTEXTS } from '@svc/domain/risk/contexts/context-name.ts';
import { type FlowContext, SOURCES_MAX, TOOLS_USED_MAX } from '@svc/domain/risk/contexts/flow-context.ts';
import { EMPTY_CONTEXT, joinContexts } from '@svc/domain/risk/contexts/growth.ts';
import { defaultContextScope } from '@svc/domain/risk/risk-settings/resolve-settings.ts';
import type { ContextFacts } from '@svc/enforcement/facts/context-facts.ts';
import type { AgentSnapshot } from '@svc/enforcement/facts/snapshots.ts';
import type { Ports } from '@svc/enforcement/ports/ports.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../connection/connect.ts';
import { readInTenant, type TenantTransaction } from '../connection/in-tenant.ts';
import { asContext, type ContextRow } from '../risk/contexts.ts';
import { newSnapshotCache } from './snapshot-cache.ts';

/** Time after which contexts that have ended are noticed. Their labels count until then. */
const REREAD_AFTER_MS = 60_000;
/** Last uses are written with this precision. */
const TOUCHED_EVERY_MINUTES = 1;
const BYTES_PER_CONTEXT = 1_024;

type Wanted = { readonly organization_id: string; readonly agent_id: string; readonly key: string; readonly hours: number };
type Counting = ContextFacts & { readonly organization_id: string };

/** Nothing ends while uses are not folded: both times are of the same statement. */
const readEnd = async (tx: TenantTransaction, hours: number): Promise<string | null> => {
  const { rows } = await sql<{ ended: string | null }>`
    select (select folded_through from conduct_progress) - make_interval(hours => ${hours}::int, mins => ${TOUCHED_EVERY_MINUTES}::int) as ended`.execute(
    tx,
  );
  return rows[0]?.ended ?? null;
};

const live = ({ organization_id, agent_id }: Wanted, endedBefore: string | null): RawBuilder<unknown> =>
  sql`x.organization_id = ${organization_id} and x.agent_id = ${agent_id} and (x.last_used_at < ${endedBefore}::timestamptz) is not true`;

const readNamed = async (tx: TenantTransaction, wanted: Wanted, endedBefore: string | null): Promise<FlowContext[]> => {
  const { rows } = await sql<ContextRow>`
    select x.id, x.name, x.labels, x.sources, x.tools_used, x.is_overflowing, x.started_at, x.last_used_at
      from agent_contexts x where ${live(wanted, endedBefore)} and x.name in (${wanted.key}, ${ALL_CONTEXTS})`.execute(tx);
  return rows.map(asContext);
};

/** Joins contexts `x` in the database, which returns one source more than a context holds. */
const joinRows = async (tx: TenantTransaction, rowsOfX: RawBuilder<unknown>): Promise<FlowContext[]> => {
  const { rows } = await sql<ContextRow>`
    with x as materialized (${rowsOfX})
    select '' as id, '' as name, array(select distinct unnest(labels) from x order by 1) as labels,
           (select coalesce(jsonb_agg(s), '[]') from (
             select distinct on (s ->> 'label', s ->> 'tool', s ->> 'host', s -> 'readers', s -> 'hosts') s
               from x, jsonb_array_elements(x.sources) s limit ${SOURCES_MAX + 1}::int) as one) as sources,
           array(select distinct unnest(tools_used) from x order by 1 limit ${TOOLS_USED_MAX}::int) as tools_used,
           bool_or(is_overflowing) as is_overflowing, min(started_at) as started_at, max(last_used_at) as last_used_at
      from x having count(*) > 0`.execute(tx);
  return rows.map(asContext);
};

const readOthers = (tx: TenantTransaction, wanted: Wanted, endedBefore: string | null): Promise<FlowContext[]> =>
  joinRows(tx, sql`select x.* from agent_contexts x where ${live(wanted, endedBefore)} and x.name <> ${ALL_CONTEXTS}`);

/**
 * Joins the contexts of all agents that delegated to this one, directly or through others, also by a delegation that ended recently. If the
 * contexts of such an agent count apart, only the one in which it delegated counts, if that is known.
 */
const readInherited = (
  tx: TenantTransaction,
  { organization_id, agent_id }: Wanted,
  endedBefore: string | null,
): Promise<FlowContext[]> => {
  const isLive = sql`d.organization_id = ${organization_id} and d.delegator_agent_id is not null
    and (d.status = 'ACTIVE' or (d.ended_at < ${endedBefore}::timestamptz) is not true)`;
  return joinRows(
    tx,
    sql`
      with recursive giver as (
        select d.delegator_agent_id as agent_id, d.context_name from delegations d where ${isLive} and d.delegate_agent_id = ${agent_id}
         union
        select d.delegator_agent_id, d.context_name from giver g join delegations d on d.delegate_agent_id = g.agent_id where ${isLive})
      select x.* from agent_contexts x
        join environments e on e.organization_id = x.organization_id and e.id = x.environment_id
        left join risk_settings r on r.organization_id = x.organization_id and r.environment_id = x.environment_id
       where x.organization_id = ${organization_id} and x.agent_id <> ${agent_id}
         and (x.last_used_at < ${endedBefore}::timestamptz) is not true
         and exists (select from giver g where g.agent_id = x.agent_id and (
           g.context_name is null or x.name in (g.context_name, ${ALL_CONTEXTS})
           or coalesce(r.settings ->> 'context_scope', case e.type when 'PRODUCTION' then ${defaultContextScope('PRODUCTION')}::text else ${defaultContextScope('STAGING')}::text end) = 'AGENT'))`,
  );
};

/** Adds inherited labels. Time and used tools are those of the agent itself, if it has any. */
const withInherited = (own: FlowContext | null, inherited: readonly FlowContext[]): FlowContext | null => {
  if (own === null) return joinContexts(inherited.map((context) => ({ ...context, tools_used: [] })));
  const { started_at, tools_used } = own;
  return { ...(joinContexts([own, ...inherited]) ?? own), started_at, tools_used };
};

const read = (database: Database, wanted: Wanted): Promise<Counting> =>
  readInTenant(database, { organization_id: wanted.organization_id }, async (tx) => {
    const endedBefore = await readEnd(tx, wanted.hours);
    const named = await readNamed(tx, wanted, endedBefore);
    const others = wanted.key === ALL_CONTEXTS ? await readOthers(tx, wanted, endedBefore) : [];
    const own = named.find(({ name }) => name === wanted.key) ?? EMPTY_CONTEXT;
    const held = withInherited(joinContexts([...named, ...others]), await readInherited(tx, wanted, endedBefore));
    return { organization_id: wanted.organization_id, key: wanted.key, own, held, endedBefore };
  });

const estimateBytes = ({ own, held }: Counting): number =>
  BYTES_PER_CONTEXT + 2 * (JSON.stringify(own).length + (held === null ? 0 : JSON.stringify(held).length));

/** None of the parts contains a space. */
const writeCacheId = ({ agent_id, epoch }: AgentSnapshot, key: string, hours: number, now: number): string =>
  [agent_id, hours, key, epoch, Math.floor(now / REREAD_AFTER_MS)].join(' ');

/**
 * Reads the flow contexts that apply to a request, and caches them as long as the snapshot of the agent is valid: growth increases its
 * epoch. They may be newer than the snapshot; then the decision is not recorded and is made again.
 */
export const openContexts = (database: Database, clock: () => Date): Ports['governance']['contexts'] => {
  const cache = newSnapshotCache<Counting>(
    (organization_id, id) => {
      const [agent_id = '', hours, key = ''] = id.split(' ');
      return read(database, { organization_id, agent_id, key, hours: Number(hours) });
    },
    { bytesMax: RISK_LIMITS.heldContextsBytesMax, bytesOf: estimateBytes },
  );
  return (agent, key, hours) =>
    // Never undefined: an agent without contexts has an empty one.
    cache.get(agent.organization_id, writeCacheId(agent, key, hours, clock().getTime())) as Counting | Promise<Counting>;
};
