import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import type { Exchange } from '@svc/domain/agents/delegations/ceiling-within.ts';
import type { Ceiling } from '@svc/domain/agents/delegations/delegation.ts';
import { newlyCounted } from '@svc/domain/agents/delegations/newly-counted.ts';
import { convertMinor } from '@svc/domain/money/fx-rates/convert.ts';
import { counterOf } from '@svc/enforcement/claims/authority-claims.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { amountCounter, callsCounter } from '../../recorder/ask-claims.ts';
import { type PastUse, type PastUses, readPastUses } from './read-past-uses.ts';

export type CeilingChange = PastUses & { readonly before: Ceiling; readonly after: Ceiling; readonly exchange: Exchange };

/** How much was counted that was used before; null where nothing began to count. */
export type CountedBefore = { readonly calls: number | null; readonly amount: number | null } | null;

type Use = { readonly used_at: string; readonly amount: number };

const TOO_MANY =
  'So much was done under this delegation, or by its agents since, that what it used cannot be counted any more. Revoke it, and make another one with this ceiling.';
const NO_RATE = 'What was used under this delegation cannot be reckoned into the currency of the ceiling: there is no rate for all of it.';

/** Fills a counter as if it had been there from the start. A use that left the window long ago is in the total and has no row of its own. */
const fill = async (tx: TenantTransaction, organizationId: string, counter: string, uses: readonly Use[], window: number | null) => {
  let total = 0;
  const rows = uses.map(({ used_at, amount }) => {
    total += amount;
    return { used_at, amount, total };
  });
  const last = rows.at(-1);
  if (last === undefined) return;
  await sql`insert into counters (organization_id, counter, total, last_used_at)
    values (${organizationId}, ${counter}, ${total}, ${last.used_at}) on conflict do nothing`.execute(tx);
  if (window === null) return;
  const kept = rows.filter(({ amount }) => amount > 0);
  await sql`insert into counter_uses (organization_id, counter, total, amount, used_at, kept_until)
    select ${organizationId}, ${counter}, u.total, u.amount, u.used_at, u.used_at + make_interval(secs => greatest(${window}::double precision, 2678400))
      from unnest(${kept.map((row) => row.total)}::numeric[], ${kept.map((row) => row.amount)}::numeric[],
                  ${kept.map((row) => row.used_at)}::timestamptz[]) as u (total, amount, used_at)
    on conflict do nothing`.execute(tx);
};

const amountsIn = (uses: readonly PastUse[], currency: string, { rates, now }: Exchange): readonly Use[] | Refusal<'UNPROCESSABLE'> => {
  const amounts: Use[] = [];
  for (const { used_at, amount, currency: from } of uses) {
    if (amount === null || from === null) continue;
    const converted = convertMinor(amount, from, currency, rates, now);
    if (!('ok' in converted)) return refusal('UNPROCESSABLE', NO_RATE, { from, to: currency });
    amounts.push({ used_at, amount: converted.ok });
  }
  return amounts;
};

/**
 * A ceiling that begins to count with a reduction counts what was used before as well: from the record, since until now nothing counted it.
 * To be asked when the delegation is changed and its epochs are moved, as the last thing of the transaction.
 */
export const countPastUses = async (tx: TenantTransaction, change: CeilingChange): Promise<CountedBefore | Refusal<'UNPROCESSABLE'>> => {
  const { organizationId, delegationId, before, after, exchange } = change;
  const counted = newlyCounted(before, after);
  if (counted === null) return null;
  const uses = await readPastUses(tx, change);
  if (uses === 'too_many') return refusal('UNPROCESSABLE', TOO_MANY);
  const counter = counterOf({ id: delegationId });
  const amounts = counted.currency === null ? null : amountsIn(uses, counted.currency, exchange);
  if (amounts !== null && 'refused' in amounts) return amounts;
  if (counted.calls)
    await fill(
      tx,
      organizationId,
      callsCounter(counter),
      uses.map(({ used_at }) => ({ used_at, amount: 1 })),
      after.window_seconds,
    );
  if (amounts !== null) await fill(tx, organizationId, amountCounter(counter, counted.currency), amounts, after.window_seconds);
  return { calls: counted.calls ? uses.length : null, amount: amounts?.reduce((sum, { amount }) => sum + amount, 0) ?? null };
};
