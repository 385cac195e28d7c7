import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { RatesAtTime } from '@svc/domain/agents/delegations/ceiling-within.ts';
import type { Ceiling } from '@svc/domain/agents/delegations/delegation.ts';
import { newlyCounted } from '@svc/domain/agents/delegations/newly-counted.ts';
import { convertMinor } from '@svc/domain/money/fx-rates/convert.ts';
import { type CounterUse, fillCounter, readKeptUses } from '@svc/postgres/agents/delegations/fill-counter.ts';
import { type PastUse, type PastUses, readPastUses } from '@svc/postgres/agents/delegations/read-past-uses.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';

export type CeilingChange = PastUses & { readonly before: Ceiling; readonly after: Ceiling; readonly exchange: RatesAtTime };

/** Earlier uses that were counted; null for a ceiling that starts no new count. */
export type CountedBefore = { readonly calls: number | null; readonly amount: number | null } | null;

const TOO_MANY = 'This delegation has been used too often to count its past use. Revoke it, and create another one with this ceiling.';
const NO_RATE = 'Past use of this delegation cannot be converted to the currency of the ceiling: an exchange rate is missing.';

const findAmounts = (
  uses: readonly PastUse[],
  currency: string,
  { rates, now }: RatesAtTime,
): readonly CounterUse[] | Refusal<'UNPROCESSABLE'> => {
  const amounts: CounterUse[] = [];
  for (const { used_at, amount, currency: from } of uses) {
    if (amount === null || from === null) continue;
    const converted = convertMinor(amount, from, currency, rates, now);
    if (!('ok' in converted)) return buildRefusal('UNPROCESSABLE', NO_RATE, { from, to: currency });
    amounts.push({ used_at, amount: converted.ok });
  }
  return amounts;
};

/**
 * Counts past uses for a ceiling that starts to count, or counts further back, after a reduction: from the record, since nothing else has
 * them. Called as the last step of the transaction, after the delegation changed and its epochs moved.
 */
export const countPastUses = async (tx: TenantTransaction, change: CeilingChange): Promise<CountedBefore | Refusal<'UNPROCESSABLE'>> => {
  const { organizationId, delegationId, before, after, exchange } = change;
  const counted = newlyCounted(before, after);
  if (counted === null) return null;
  const { calls, currency } = counted;
  const ofCalls = { organizationId, delegationId, of: 'calls' } as const;
  const ofAmounts = { organizationId, delegationId, of: { currency } };
  const kept = { calls: await readKeptUses(tx, ofCalls), amounts: await readKeptUses(tx, ofAmounts) };
  const uses = await readPastUses(tx, change);
  if (uses === 'too_many') return buildRefusal('UNPROCESSABLE', TOO_MANY);
  const amounts = currency === null ? null : findAmounts(uses, currency, exchange);
  if (amounts !== null && 'refused' in amounts) return amounts;
  const { window_seconds } = after;
  const each = uses.map(({ used_at }) => ({ used_at, amount: 1 }));
  if (calls) await fillCounter(tx, { ...ofCalls, window_seconds }, each, kept.calls);
  if (amounts !== null) await fillCounter(tx, { ...ofAmounts, window_seconds }, amounts, kept.amounts);
  return { calls: calls ? uses.length : null, amount: amounts?.reduce((sum, { amount }) => sum + amount, 0) ?? null };
};
