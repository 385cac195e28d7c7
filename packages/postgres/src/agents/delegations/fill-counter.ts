import { LIMITS } from '@svc/contract/tables/limits.ts';
import { USES_KEPT_SECONDS } from '@svc/domain/agents/delegations/newly-counted.ts';
import { getCounter } from '@svc/enforcement/claims/authority-claims.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { amountCounter, callsCounter } from '../../recorder/ask-claims.ts';

/** One use, in the unit of its counter: a call, or an amount in minor units. */
export type CounterUse = { readonly used_at: string; readonly amount: number };

export type DelegationCounter = {
  readonly organizationId: string;
  readonly delegationId: string;
  /** The counted unit: calls, or amounts of this currency. */
  readonly of: 'calls' | { readonly currency: string | null };
};

/** The uses of a counter that still have rows: the newest ones, by number. */
export type KeptUses = { readonly count: number };

const getName = ({ delegationId, of }: DelegationCounter): string => {
  const counter = getCounter({ id: delegationId });
  return of === 'calls' ? callsCounter(counter) : amountCounter(counter, of.currency);
};

/** Call before the record is read: concurrent uses are then counted twice at worst, and never forgotten. */
export const readKeptUses = async (tx: TenantTransaction, which: DelegationCounter): Promise<KeptUses> => {
  const { rows } = await sql<KeptUses>`select count(*)::int as count from (
    select from counter_uses where organization_id = ${which.organizationId} and counter = ${getName(which)}
     limit ${LIMITS.delegations.pastUsesMax + 1}) as kept`.execute(tx);
  return rows[0] ?? { count: 0 };
};

/**
 * Fills a counter as if it had existed from the start, or as if no use had ever lost its row: `uses` are all within its window, the
 * oldest first, and the newest of them still have rows. Existing rows are not changed, so that no counting decision has to wait.
 */
export const fillCounter = async (
  tx: TenantTransaction,
  which: DelegationCounter & { readonly window_seconds: number | null },
  uses: readonly CounterUse[],
  kept: KeptUses,
): Promise<void> => {
  const { organizationId, window_seconds } = which;
  const counter = getName(which);
  const last = uses.at(-1);
  if (last === undefined) return;
  const total = uses.reduce((sum, { amount }) => sum + amount, 0);
  await sql`insert into counters (organization_id, counter, total, last_used_at)
    values (${organizationId}, ${counter}, ${total}, ${last.used_at}) on conflict do nothing`.execute(tx);
  if (window_seconds === null) return;
  const counted = uses.filter(({ amount }) => amount > 0);
  // Totals continue downwards from the first existing row.
  let below = 0;
  const rows = counted
    .slice(0, Math.max(0, counted.length - kept.count))
    .toReversed()
    .map(({ used_at, amount }) => {
      below += amount;
      return { used_at, amount, below: below - amount };
    });
  await sql`insert into counter_uses (organization_id, counter, total, amount, used_at, kept_until)
    select ${organizationId}, ${counter}, top.total - u.below, u.amount, u.used_at,
           u.used_at + make_interval(secs => greatest(${window_seconds}::double precision, ${USES_KEPT_SECONDS}))
      from (select coalesce(
              (select o.total - o.amount from counter_uses o where o.organization_id = ${organizationId} and o.counter = ${counter} order by o.total limit 1),
              (select k.total from counters k where k.organization_id = ${organizationId} and k.counter = ${counter})) as total) as top,
           unnest(${rows.map((row) => row.below)}::numeric[], ${rows.map((row) => row.amount)}::numeric[],
                  ${rows.map((row) => row.used_at)}::timestamptz[]) as u (below, amount, used_at)
    on conflict do nothing`.execute(tx);
};
