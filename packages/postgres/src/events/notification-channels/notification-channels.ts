import type { ChannelDisabledReason } from '@svc/contract/events/notification-channels.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { Tables } from '../../connection/tables.ts';

const TOLD = [
  ...(['organization_id', 'id', 'name', 'kind', 'address', 'notices', 'workspace_id', 'environment_id', 'status'] as const),
  ...(['disabled_reason', 'failing_since', 'last_error', 'last_sent_at', 'vouched_by_type', 'vouched_by', 'created_by'] as const),
  ...(['created_at', 'updated_at'] as const),
] as const;

/** A channel without its URL. */
export type ChannelRow = Pick<Selectable<Tables['notification_channels']>, (typeof TOLD)[number]>;
type Key = { readonly organization_id: string; readonly id: string };

/** Serializes the creation of channels in one organization, so that the limit holds. */
export const takeChannelTurn = async (tx: TenantTransaction, organizationId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('svc channels ' || ${organizationId}, 0))`.execute(tx);
};

export const listChannels = (tx: TenantTransaction, organizationId: string): Promise<ChannelRow[]> =>
  tx
    .selectFrom('notification_channels')
    .select(TOLD)
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .limit(LIMITS.channels.perOrganizationMax)
    .execute();

export const insertChannel = (tx: TenantTransaction, row: Insertable<Tables['notification_channels']>): Promise<ChannelRow> =>
  tx.insertInto('notification_channels').values(row).returning(TOLD).executeTakeFirstOrThrow();

export const findChannel = (tx: TenantTransaction, { organization_id, id }: Key): Promise<ChannelRow | undefined> =>
  tx
    .selectFrom('notification_channels')
    .select(TOLD)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .executeTakeFirst();

/** The same, locked until the transaction ends. */
export const lockChannel = (tx: TenantTransaction, { organization_id, id }: Key): Promise<ChannelRow | undefined> =>
  tx
    .selectFrom('notification_channels')
    .select(TOLD)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

export const updateChannel = (
  tx: TenantTransaction,
  { organization_id, id }: Key,
  row: Updateable<Tables['notification_channels']>,
): Promise<ChannelRow> =>
  tx
    .updateTable('notification_channels')
    .set(row)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .returning(TOLD)
    .executeTakeFirstOrThrow();

/** Disables an active channel, and ends its lease; undefined if it was already disabled. */
export const endChannel = (
  tx: TenantTransaction,
  { organization_id, id }: Key,
  { reason, now }: { readonly reason: ChannelDisabledReason; readonly now: Date },
): Promise<ChannelRow | undefined> =>
  tx
    .updateTable('notification_channels')
    .set({ status: 'DISABLED', disabled_reason: reason, updated_at: now, leased_by: null, leased_until: null })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .where('status', '=', 'ACTIVE')
    .returning(TOLD)
    .executeTakeFirst();

/** With what waits for it. */
export const deleteChannel = async (tx: TenantTransaction, { organization_id, id }: Key): Promise<void> => {
  await tx.deleteFrom('notification_channels').where('organization_id', '=', organization_id).where('id', '=', id).execute();
};
