import type { ActionsSummary, ActionsSummaryQuery, DecisionCounts } from '@svc/contract/actions/summary.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Effect } from '@svc/contract/tables/vocabulary.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { madeBetween } from '../../lists/made-between.ts';

const { actionsMax, groupsMax, bucketsMax } = LIMITS.actionSummary;

export type SummaryRange = { readonly from: Date; readonly to: Date };
type Filter = Omit<ActionsSummaryQuery, 'from' | 'to'>;
type Counted = { readonly decision: Effect; readonly n: number };
type BucketRow = Counted & { readonly bucket: number };
type GroupRow = Counted & { readonly key: string | null; readonly name: string };
type Row = {
  readonly counted: number;
  readonly failed: number;
  readonly not_enforced: number;
  readonly buckets: readonly BucketRow[];
  readonly tools: readonly GroupRow[];
  readonly agents: readonly GroupRow[];
  readonly reasons: readonly GroupRow[];
};

const NONE: DecisionCounts = { ALLOW: 0, MASK: 0, LIMIT: 0, REQUIRE_APPROVAL: 0, BLOCK: 0 };

const countsOf = (rows: readonly Counted[]): DecisionCounts => {
  const counts = { ...NONE };
  for (const { decision, n } of rows) counts[decision] += n;
  return counts;
};
const getTotal = (rows: readonly Counted[]): number => rows.reduce((sum, { n }) => sum + n, 0);

const getGroups = (rows: readonly GroupRow[]): ActionsSummary['by_tool'] =>
  [...Map.groupBy(rows, ({ key }) => key)]
    .map(([key, of]) => ({ key, name: of[0]?.name ?? '', total: getTotal(of), decisions: countsOf(of) }))
    .toSorted((one, other) => other.total - one.total);

const getBuckets = (rows: readonly BucketRow[], { from, to }: SummaryRange): ActionsSummary['buckets'] => {
  const stepMs = (to.getTime() - from.getTime()) / bucketsMax;
  const byBucket = Map.groupBy(rows, ({ bucket }) => bucket);
  return Array.from({ length: bucketsMax }, (_, index) => {
    const of = byBucket.get(index) ?? [];
    return { from: new Date(from.getTime() + index * stepMs).toISOString(), total: getTotal(of), decisions: countsOf(of) };
  });
};

const REFUSED = sql`decision in ('BLOCK', 'REQUIRE_APPROVAL')`;

/** Rows of the largest groups by `key`, with a name each, as JSON. */
const largest = (key: string, name: string, where = sql`true`) => sql`(
  select coalesce(json_agg(g), '[]') from (
    select ${sql.ref(key)} as key, max(${sql.ref(name)}) as name, decision, count(*)::int as n from part
     where ${where} and ${sql.ref(key)} in (select ${sql.ref(key)} from part where ${where} group by 1 order by count(*) desc limit ${groupsMax})
     group by ${sql.ref(key)}, decision) g)`;

/** Counts the newest actions of a time range. Reads a bounded number of rows, without their explanations. */
export const summarizeActions = async (
  tx: TenantTransaction,
  organizationId: string,
  filter: Filter,
  range: SummaryRange,
): Promise<ActionsSummary> => {
  const [from, to] = [range.from.toISOString(), range.to.toISOString()];
  const { first, last } = madeBetween('act', { from, to });
  const { agent_id, tool, environment_id } = filter;
  const where = [
    sql<boolean>`organization_id = ${organizationId} and id >= ${first} and id <= ${last} and created_at >= ${from} and created_at < ${to}`,
    ...(agent_id === undefined ? [] : [sql<boolean>`agent_id = ${agent_id}`]),
    ...(tool === undefined ? [] : [sql<boolean>`(tool = ${tool} or tool_id = ${tool})`]),
    ...(environment_id === undefined ? [] : [sql<boolean>`environment_id = ${environment_id}`]),
  ];
  const { rows } = await sql<Row>`
    with found as materialized (
      select agent_id, agent_name, tool, decision, status, mode, reason, created_at from actions
       where ${sql.join(where, sql` and `)} order by id desc limit ${actionsMax + 1}),
    part as (select * from found limit ${actionsMax})
    select (select count(*)::int from found) as counted,
      (select count(*)::int from part where status in ('FAILED', 'UNKNOWN')) as failed,
      (select count(*)::int from part where mode <> 'ENFORCE' and ${REFUSED} and status in ('OBSERVED', 'SIMULATED')) as not_enforced,
      (select coalesce(json_agg(b), '[]') from (
        select least(floor(extract(epoch from created_at - ${from}::timestamptz)
            / (extract(epoch from ${to}::timestamptz - ${from}::timestamptz) / ${bucketsMax}))::int, ${bucketsMax - 1}) as bucket,
          decision, count(*)::int as n from part group by 1, 2) b) as buckets,
      ${largest('tool', 'tool')} as tools, ${largest('agent_id', 'agent_name')} as agents,
      ${largest('reason', 'reason', REFUSED)} as reasons`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('a statement without a table returned no row');
  const { counted, failed, not_enforced, buckets, tools, agents, reasons } = row;
  return {
    from,
    to,
    total: Math.min(counted, actionsMax),
    counted_all: counted <= actionsMax,
    decisions: countsOf(buckets),
    failed,
    not_enforced,
    buckets: getBuckets(buckets, range),
    by_tool: getGroups(tools),
    by_agent: getGroups(agents),
    by_reason: getGroups(reasons),
  };
};
