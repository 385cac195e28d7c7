import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { Tables } from '../../connection/tables.ts';

const TOLD = [
  ...(['organization_id', 'id', 'name', 'url', 'event_types', 'workspace_id', 'environment_id', 'body_format', 'status'] as const),
  ...(['disabled_reason', 'failing_since', 'previous_secret_ends_at', 'vouched_by_type', 'vouched_by', 'created_by'] as const),
  ...(['created_at', 'updated_at'] as const),
] as const;

/** A subscription without its secrets. */
export type SubscriptionRow = Pick<Selectable<Tables['webhook_subscriptions']>, (typeof TOLD)[number]>;
type Key = { readonly organization_id: string; readonly id: string };

/** Serializes the creation of subscriptions in one organization, so that the limit holds. */
export const takeSubscriptionTurn = async (tx: TenantTransaction, organizationId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('svc webhooks ' || ${organizationId}, 0))`.execute(tx);
};

export const listSubscriptions = (tx: TenantTransaction, organizationId: string): Promise<SubscriptionRow[]> =>
  tx
    .selectFrom('webhook_subscriptions')
    .select(TOLD)
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .limit(LIMITS.webhooks.subscriptionsMax)
    .execute();

export const insertSubscription = (tx: TenantTransaction, row: Insertable<Tables['webhook_subscriptions']>): Promise<SubscriptionRow> =>
  tx.insertInto('webhook_subscriptions').values(row).returning(TOLD).executeTakeFirstOrThrow();

export const findSubscription = (tx: TenantTransaction, { organization_id, id }: Key): Promise<SubscriptionRow | undefined> =>
  tx
    .selectFrom('webhook_subscriptions')
    .select(TOLD)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .executeTakeFirst();

/** The same, locked until the transaction ends. */
export const lockSubscription = (tx: TenantTransaction, { organization_id, id }: Key): Promise<SubscriptionRow | undefined> =>
  tx
    .selectFrom('webhook_subscriptions')
    .select(TOLD)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

export const updateSubscription = (
  tx: TenantTransaction,
  { organization_id, id }: Key,
  row: Updateable<Tables['webhook_subscriptions']>,
): Promise<SubscriptionRow> =>
  tx
    .updateTable('webhook_subscriptions')
    .set(row)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .returning(TOLD)
    .executeTakeFirstOrThrow();

/** Replaces the current secret, which also signs until a time; with null only the new one signs from now on. */
export const replaceSecret = async (
  tx: TenantTransaction,
  { organization_id, id }: Key,
  { sealed, previousEndsAt, now }: { readonly sealed: Buffer; readonly previousEndsAt: Date | null; readonly now: Date },
): Promise<SubscriptionRow> =>
  tx
    .updateTable('webhook_subscriptions')
    .set((eb) => ({
      sealed_previous_secret: previousEndsAt === null ? null : eb.ref('sealed_secret'),
      previous_secret_ends_at: previousEndsAt,
      sealed_secret: sealed,
      updated_at: now,
    }))
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .returning(TOLD)
    .executeTakeFirstOrThrow();

/** Its waiting deliveries are deleted later. */
export const deleteSubscription = async (tx: TenantTransaction, { organization_id, id }: Key): Promise<void> => {
  await tx.deleteFrom('webhook_subscriptions').where('organization_id', '=', organization_id).where('id', '=', id).execute();
};
