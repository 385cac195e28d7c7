import type { RatesInForce } from '@svc/contract/money/fx-rates.ts';
import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

export type RefreshState = Pick<RatesInForce['provider'], 'attempted_at' | 'succeeded_at' | 'failure'>;

/** Returns the result of the last fetch; undefined if there was none. */
export const readRefresh = (tx: TenantTransaction, organizationId: string): Promise<RefreshState | undefined> =>
  tx
    .selectFrom('exchange_rate_refreshes')
    .select(['attempted_at', 'succeeded_at', 'failure'])
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();

/** Finds organizations whose rates were last fetched before a time, or for another base currency. */
export const findOrganizationsWithOldRates = async (
  identity: Database,
  before: Date,
): Promise<{ readonly id: string; readonly base_currency: string }[]> => {
  const { rows } = await sql<{ id: string; base_currency: string }>`
    select o.id, o.base_currency from organizations o
      left join exchange_rate_refreshes r on r.organization_id = o.id
     where r.organization_id is null or r.attempted_at <= ${before} or r.base_currency <> o.base_currency
     order by o.base_currency, o.id`.execute(identity);
  return rows;
};

export type RateRefreshAttempt = { readonly base_currency: string; readonly now: Date };

/** Claims an attempt if it is still due. One of concurrent callers gets true, and fetches. */
export const claimRefresh = async (
  tx: TenantTransaction,
  organizationId: string,
  { base_currency, now, before }: RateRefreshAttempt & { readonly before: Date },
): Promise<boolean> => {
  const { rows } = await sql`
    insert into exchange_rate_refreshes as r (organization_id, base_currency, attempted_at)
    values (${organizationId}, ${base_currency}, ${now})
    on conflict (organization_id) do update set attempted_at = excluded.attempted_at, base_currency = excluded.base_currency
     where r.attempted_at <= ${before} or r.base_currency <> excluded.base_currency
    returning 1`.execute(tx);
  return rows.length > 0;
};

/** Records the result of a fetch and locks rates until the transaction ends. Returns the previous failure, or null. */
export const noteRefresh = async (
  tx: TenantTransaction,
  organizationId: string,
  { base_currency, now, failure }: RateRefreshAttempt & { readonly failure: string | null },
): Promise<string | null> => {
  const before = await tx
    .selectFrom('exchange_rate_refreshes')
    .select('failure')
    .where('organization_id', '=', organizationId)
    .forUpdate()
    .executeTakeFirst();
  const succeeded_at = failure === null ? now : undefined;
  await tx
    .insertInto('exchange_rate_refreshes')
    .values({ organization_id: organizationId, base_currency, attempted_at: now, succeeded_at: succeeded_at ?? null, failure })
    .onConflict((conflict) =>
      conflict.column('organization_id').doUpdateSet({
        base_currency,
        attempted_at: now,
        failure,
        ...(succeeded_at ? { succeeded_at } : {}),
      }),
    )
    .execute();
  return before?.failure ?? null;
};
