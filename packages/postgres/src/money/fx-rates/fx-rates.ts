import type { ExchangeRate } from '@svc/contract/money/fx-rates.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

const COLUMNS = [
  'id',
  'base_currency',
  'quote_currency',
  'rate',
  'source',
  'effective_at',
  'created_at',
  'created_by',
  'deleted_at',
] as const;

/** Clocks of gateways and of the database differ; what was in force this long ago is still handed on. */
const CLOCK_LEEWAY_MINUTES = 10;

/**
 * The rates that decisions can need from now on: of each pair and source the newest one that is effective, and all that become so later.
 * Walks the index from pair to pair, so that it costs what there are pairs, however long the history.
 */
export const readRates = async (tx: TenantTransaction, organizationId: string): Promise<ExchangeRate[]> => {
  const { rows } = await sql<ExchangeRate>`
    with recursive stored as not materialized (
      select id, base_currency, quote_currency, rate, source, effective_at, created_at, created_by, deleted_at,
             least(base_currency, quote_currency) as one, greatest(base_currency, quote_currency) as other
        from exchange_rates where organization_id = ${organizationId} and deleted_at is null
    ), pairs as (
      (select one, other, source from stored order by one, other, source limit 1)
       union all
      select n.one, n.other, n.source from pairs p
       cross join lateral (select one, other, source from stored where (one, other, source) > (p.one, p.other, p.source)
                            order by one, other, source limit 1) n
    ), horizon as (
      select now() - make_interval(mins => ${CLOCK_LEEWAY_MINUTES}) as moment
    )
    select r.id, r.base_currency, r.quote_currency, r.rate, r.source, r.effective_at, r.created_at, r.created_by, r.deleted_at
      from pairs p cross join horizon h cross join lateral (
        (select * from stored s where s.one = p.one and s.other = p.other and s.source = p.source and s.effective_at <= h.moment
          order by s.effective_at desc, s.id desc limit 1)
         union all
        (select * from stored s where s.one = p.one and s.other = p.other and s.source = p.source and s.effective_at > h.moment)
      ) r`.execute(tx);
  return rows;
};

/** Newest first, deleted ones included; at most one more than the page holds. */
export const listRateHistory = (
  tx: TenantTransaction,
  organizationId: string,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<ExchangeRate[]> => {
  let query = tx.selectFrom('exchange_rates').select(COLUMNS).where('organization_id', '=', organizationId);
  if (after !== undefined) query = query.where('id', '<', after);
  return query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
};

export type NewRate = Omit<ExchangeRate, 'deleted_at' | 'created_at' | 'effective_at'> & {
  readonly effective_at: string | Date;
  readonly created_at: Date;
};

/** Stores rates; returns them as stored. */
export const insertRates = async (tx: TenantTransaction, organizationId: string, rates: readonly NewRate[]): Promise<ExchangeRate[]> =>
  rates.length === 0
    ? []
    : await tx
        .insertInto('exchange_rates')
        .values(rates.map((rate) => ({ organization_id: organizationId, ...rate })))
        .returning(COLUMNS)
        .execute();

/** Reads it and locks it until the transaction ends. */
export const lockRate = (tx: TenantTransaction, organizationId: string, id: string): Promise<ExchangeRate | undefined> =>
  tx
    .selectFrom('exchange_rates')
    .select(COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

/** Takes it out of force; the row stays. */
export const deleteRate = (tx: TenantTransaction, organizationId: string, id: string, now: Date): Promise<ExchangeRate> =>
  tx
    .updateTable('exchange_rates')
    .set({ deleted_at: now })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();

/** Counts currency pairs with rates stated by people, except one pair; and returns if that one has any. Costs as much as there are pairs. */
export const countStatedPairs = async (
  tx: TenantTransaction,
  organizationId: string,
  { base_currency, quote_currency }: Pick<ExchangeRate, 'base_currency' | 'quote_currency'>,
): Promise<{ readonly others: number; readonly isStated: boolean }> => {
  const isPair = sql`(one = least(${base_currency}, ${quote_currency}) and other = greatest(${base_currency}, ${quote_currency}))`;
  const { rows } = await sql<{ readonly others: number; readonly isStated: boolean }>`
    with recursive stored as not materialized (
      select least(base_currency, quote_currency) as one, greatest(base_currency, quote_currency) as other, source
        from exchange_rates where organization_id = ${organizationId} and deleted_at is null
    ), pairs as (
      (select one, other, source from stored order by one, other, source limit 1)
       union all
      select n.one, n.other, n.source from pairs p
       cross join lateral (select one, other, source from stored where (one, other, source) > (p.one, p.other, p.source)
                            order by one, other, source limit 1) n
    )
    select count(*) filter (where not ${isPair})::integer as others, coalesce(bool_or(${isPair}), false) as "isStated"
      from pairs where source = 'MANUAL'`.execute(tx);
  return rows[0] ?? { others: 0, isStated: false };
};

/** Counts rates that become effective after a moment: each of them is sent to every gateway. */
export const countUpcomingRates = async (tx: TenantTransaction, organizationId: string, now: Date): Promise<number> => {
  const { count } = await tx
    .selectFrom('exchange_rates')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .where('effective_at', '>', now.toISOString())
    .executeTakeFirstOrThrow();
  return count;
};
