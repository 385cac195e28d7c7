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

const nameOf = ({ delegationId, of }: DelegationCounter): string => {
  const counter = counterOf({ id: delegationId });
  return of === 'calls' ? callsCounter(counter) : amountCounter(counter, of.currency);
};

/** Fills a counter as if it had been there from the start. A use that left the window long ago is in the total and has no row of its own. */
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
  await sql`insert into counters (organization_id, counter, total, last_used_at)
    values (${organizationId}, ${counter}, ${total}, ${last.used_at}) on conflict do nothing`.execute(tx);
  if (window_seconds === null) return;
  const kept = rows.filter(({ amount }) => amount > 0);
  await sql`insert into counter_uses (organization_id, counter, total, amount, used_at, kept_until)
    select ${organizationId}, ${counter}, u.total, u.amount, u.used_at, u.used_at + make_interval(secs => greatest(${window_seconds}::double precision, 2678400))
      from unnest(${kept.map((row) => row.total)}::numeric[], ${kept.map((row) => row.amount)}::numeric[],
                  ${kept.map((row) => row.used_at)}::timestamptz[]) as u (total, amount, used_at)
    on conflict do nothing`.execute(tx);
};
