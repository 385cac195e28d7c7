import { USES_KEPT_SECONDS } from '@svc/domain/agents/delegations/newly-counted.ts';
import { counterOf } from '@svc/enforcement/claims/authority-claims.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { amountCounter, callsCounter } from '../../recorder/ask-claims.ts';

/** One use, in the unit of its counter: a call, or an amount in minor units. */
export type Use = { readonly used_at: string; readonly amount: number };

export type DelegationCounter = {
  readonly organizationId: string;
  readonly delegationId: string;
  /** What it counts: calls, or amounts of this currency. */
  readonly of: 'calls' | { readonly currency: string | null };
  readonly window_seconds: number | null;
};

const nameOf = ({ delegationId, of }: Omit<DelegationCounter, 'window_seconds'>): string => {
  const counter = counterOf({ id: delegationId });
  return of === 'calls' ? callsCounter(counter) : amountCounter(counter, of.currency);
};

/** Holds counters that there are already, so that nothing more is taken from them until the transaction ends. */
export const holdCounters = async (tx: TenantTransaction, which: readonly Omit<DelegationCounter, 'window_seconds'>[]): Promise<void> => {
  const [first] = which;
  if (first === undefined) return;
  await sql`select from counters where organization_id = ${first.organizationId} and counter = any(${which.map(nameOf)}::text[])
    order by counter collate "C" for update`.execute(tx);
};

/**
 * Fills a counter as if it had been there from the start. One that is there already keeps its total, and of the uses those that are given,
 * which then have to be all that its window reaches. A use that left the window long ago is in the total and has no row of its own.
 */
export const fillCounter = async (tx: TenantTransaction, which: DelegationCounter, uses: readonly Use[]): Promise<void> => {
  const { organizationId, window_seconds } = which;
  const counter = nameOf(which);
  let total = 0;
  const rows = uses.map(({ used_at, amount }) => {
    total += amount;
    return { used_at, amount, total };
  });
  const last = rows.at(-1);
  if (last === undefined) return;
  const counted = await sql<{ total: string }>`insert into counters (organization_id, counter, total, last_used_at)
    values (${organizationId}, ${counter}, ${total}, ${last.used_at})
    on conflict (organization_id, counter) do update set total = counters.total returning total::text`.execute(tx);
  if (window_seconds === null) return;
  await sql`delete from counter_uses where organization_id = ${organizationId} and counter = ${counter}`.execute(tx);
  const kept = rows.filter(({ amount }) => amount > 0);
  await sql`insert into counter_uses (organization_id, counter, total, amount, used_at, kept_until)
    select ${organizationId}, ${counter}, ${counted.rows[0]?.total}::numeric - ${total}::numeric + u.total, u.amount, u.used_at, u.used_at + make_interval(secs => greatest(${window_seconds}::double precision, ${USES_KEPT_SECONDS}))
      from unnest(${kept.map((row) => row.total)}::numeric[], ${kept.map((row) => row.amount)}::numeric[],
                  ${kept.map((row) => row.used_at)}::timestamptz[]) as u (total, amount, used_at)`.execute(tx);
};
