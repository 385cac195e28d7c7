import type { WebhookDelivery } from '@svc/contract/events/deliveries.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { Tables } from '../../connection/tables.ts';
import { covers } from './covers.ts';

const TOLD = [
  ...(['id', 'subscription_id', 'event_id', 'event_type', 'workspace_id', 'environment_id', 'is_test', 'state', 'attempts'] as const),
  ...(['reason', 'due_at', 'created_at', 'ended_at', 'tries'] as const),
] as const;

export type DeliveryRow = Pick<Selectable<Tables['webhook_deliveries']>, (typeof TOLD)[number]>;
type Of = { readonly organization_id: string; readonly subscription_id: string };
type Key = Of & { readonly id: string };

const STATES = { PENDING: 'WAITING', DELIVERED: 'DELIVERED', FAILED: 'FAILED' } as const;

export type DeliveryFilter = { readonly status?: WebhookDelivery['status']; readonly event_id?: string };

/** Newest first, one more than the page holds; over all states it merges the newest of each, so that few rows are read. */
export const listDeliveries = async (
  tx: TenantTransaction,
  { organization_id, subscription_id }: Of,
  { status, event_id }: DeliveryFilter,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<DeliveryRow[]> => {
  const ofState = (state: string) => sql`(
    select ${sql.join(TOLD.map((name) => sql.ref(name)))} from webhook_deliveries
     where organization_id = ${organization_id} and subscription_id = ${subscription_id} and state = ${state}
       and ${after === undefined ? sql`true` : sql`id < ${after}`} and ${event_id === undefined ? sql`true` : sql`event_id = ${event_id}`}
     order by id desc limit ${limit + 1})`;
  const states = status === undefined ? Object.values(STATES) : [STATES[status]];
  const { rows } = await sql<DeliveryRow>`
    select * from (${sql.join(states.map(ofState), sql` union all `)}) as found order by id desc limit ${limit + 1}`.execute(tx);
  return rows;
};

export const findDelivery = (tx: TenantTransaction, { organization_id, subscription_id, id }: Key): Promise<DeliveryRow | undefined> =>
  tx
    .selectFrom('webhook_deliveries')
    .select(TOLD)
    .where('organization_id', '=', organization_id)
    .where('subscription_id', '=', subscription_id)
    .where('id', '=', id)
    .executeTakeFirst();

export const insertDelivery = (tx: TenantTransaction, row: Insertable<Tables['webhook_deliveries']>): Promise<DeliveryRow> =>
  tx.insertInto('webhook_deliveries').values(row).returning(TOLD).executeTakeFirstOrThrow();

export const countWaitingTests = async (tx: TenantTransaction, { organization_id, subscription_id }: Of): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from (
      select from webhook_deliveries
       where organization_id = ${organization_id} and subscription_id = ${subscription_id} and state = 'WAITING' and is_test
       limit ${LIMITS.webhooks.queuedTestsMax}) waiting`.execute(tx);
  return rows[0]?.n ?? 0;
};

/** A redelivery restarts the retries, and keeps its identifier, its number of attempts and their results. */
const ANEW = sql`
  state = 'WAITING', failures = 0, reason = null, ended_at = null, leased_until = case when d.state = 'WAITING' then d.leased_until end`;

/** Redelivers one at once; for a waiting one only the time changes. */
export const askAgain = async (tx: TenantTransaction, { organization_id, subscription_id, id }: Key, now: Date): Promise<void> => {
  await sql`
    update webhook_deliveries d set ${ANEW}, due_at = ${now}
     where organization_id = ${organization_id} and subscription_id = ${subscription_id} and id = ${id}`.execute(tx);
};

/**
 * Redelivers failed deliveries created since an identifier that the subscription still covers, as many as one call takes;
 * returns true if there are more.
 */
export const askFailedAgain = async (
  tx: TenantTransaction,
  { organization_id, subscription_id }: Of,
  { since, now }: { readonly since: string; readonly now: Date },
): Promise<{ readonly count: number; readonly hasMore: boolean }> => {
  const { redeliveredMax } = LIMITS.webhooks;
  const { rows } = await sql<{ n: number; more: boolean }>`
    with failed as materialized (
      select d.id from webhook_deliveries d join webhook_subscriptions s on s.organization_id = d.organization_id and s.id = d.subscription_id
       where d.organization_id = ${organization_id} and d.subscription_id = ${subscription_id} and d.id >= ${since} and d.state = 'FAILED'
         and (d.is_test or ${covers('d')})
       order by d.id limit ${redeliveredMax + 1}),
    again as (
      update webhook_deliveries d set ${ANEW}, due_at = ${now}
        from (select id from failed order by id limit ${redeliveredMax}) f where d.id = f.id returning d.id)
    select (select count(*)::integer from again) as n, (select count(*) > ${redeliveredMax} from failed) as more`.execute(tx);
  return { count: rows[0]?.n ?? 0, hasMore: rows[0]?.more ?? false };
};
