import { VELOCITY_CALLS_MAX } from '@svc/contract/policies/language.ts';
import type { Velocity } from '@svc/enforcement/facts/facts.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../connection/connect.ts';
import { inTenant } from '../connection/in-tenant.ts';

export type VelocityQuestion = {
  readonly organizationId: string;
  readonly agentId: string;
  readonly now: Date;
  /** No action requested in the last 24 hours has a smaller identifier. */
  readonly firstActionId: string;
};

type Row = {
  /** From when on there are more of one kind than the maximum; null if all were read. */
  readonly reached: string | null;
  readonly calls_1m: number;
  readonly calls_1h: number;
  readonly calls_24h: number;
  readonly sums: readonly { readonly currency: string; readonly amount: string }[] | null;
};

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

const clamped = (sum: string): number => Number(BigInt(sum) > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : sum);

/** Statuses of what was not let run. */
const NOT_LET: RawBuilder<unknown> = sql`('BLOCKED', 'PENDING_APPROVAL', 'APPROVED', 'EXPIRED', 'CANCELLED', 'SIMULATED')`;

/**
 * Returns what the agent was allowed in the last minute, hour and day, from its newest actions and uses of approvals alone, so that the
 * time is
 * bounded. An action after an approval counts when it ran, however old its request. If there are more than the maximum, a
 * number that may be too small is returned as the largest.
 */
export const readVelocity = (database: Database, { organizationId, agentId, now, firstActionId }: VelocityQuestion): Promise<Velocity> =>
  inTenant(database, { organization_id: organizationId }, async (tx) => {
    const since = (ms: number) => new Date(now.getTime() - ms);
    const { rows } = await sql<Row>`
      with asked as materialized (
        select created_at as used_at, amount, currency, status not in ${NOT_LET} and given_back_at is null and not (approval_id is not null and exists (
                 select from approvals p where p.organization_id = ${organizationId} and p.action_id = actions.id and p.consumed_at is not null)) as counts
          from actions where organization_id = ${organizationId} and agent_id = ${agentId} and id >= ${firstActionId}
         order by id desc limit ${VELOCITY_CALLS_MAX + 1}),
      approved as materialized (
        select p.consumed_at as used_at, a.amount, a.currency, a.status not in ${NOT_LET} and a.given_back_at is null as counts
          from (select action_id, consumed_at from approvals
                 where organization_id = ${organizationId} and agent_id = ${agentId} and consumed_at > ${since(DAY_MS)}
                 order by consumed_at desc limit ${VELOCITY_CALLS_MAX + 1}) p
          join actions a on a.organization_id = ${organizationId} and a.id = p.action_id),
      let_through as (
        select * from (select * from asked union all select * from approved) as one where counts and used_at > ${since(DAY_MS)}),
      reached as (
        select min(used_at) as at from asked having count(*) > ${VELOCITY_CALLS_MAX}
        union all select min(used_at) from approved having count(*) > ${VELOCITY_CALLS_MAX})
      select (select max(at) from reached) as reached,
        count(*) filter (where used_at > ${since(MINUTE_MS)})::int as calls_1m,
        count(*) filter (where used_at > ${since(HOUR_MS)})::int as calls_1h, count(*)::int as calls_24h,
        (select json_agg(s) from (select currency, sum(amount)::text as amount from let_through
          where amount > 0 and currency is not null group by currency) s) as sums
      from let_through`.execute(tx);
    const row = rows[0];
    if (!row) throw new Error('the actions of an agent were asked for and not answered');
    const reached = row.reached === null ? Number.NEGATIVE_INFINITY : Date.parse(row.reached);
    const counted = (calls: number, ms: number): number =>
      reached > now.getTime() - ms ? VELOCITY_CALLS_MAX : Math.min(calls, VELOCITY_CALLS_MAX);
    return {
      calls_1m: counted(row.calls_1m, MINUTE_MS),
      calls_1h: counted(row.calls_1h, HOUR_MS),
      calls_24h: counted(row.calls_24h, DAY_MS),
      amounts_24h:
        reached > now.getTime() - DAY_MS ? null : (row.sums ?? []).map(({ currency, amount }) => ({ currency, amount: clamped(amount) })),
    };
  });
