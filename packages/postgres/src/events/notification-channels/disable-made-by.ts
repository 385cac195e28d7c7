import type { ChannelDisabledReason } from '@svc/contract/events/notification-channels.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { ChannelRow } from './notification-channels.ts';

export type DisabledChannel = Pick<ChannelRow, 'id' | 'workspace_id' | 'environment_id'>;

/** Disables the channels that a person created or is responsible for, directly or through API keys, and drops their messages. */
export const disableCreatorChannels = async (
  tx: TenantTransaction,
  { organization_id, userId }: { readonly organization_id: string; readonly userId: string },
  { reason, now }: { readonly reason: ChannelDisabledReason; readonly now: Date },
): Promise<DisabledChannel[]> => {
  const { rows } = await sql<DisabledChannel>`
    with recursive made as (
      select ${userId}::text as id
       union
      select k.id from made m join api_keys k on k.organization_id = ${organization_id} and k.created_by = m.id
    ), ended as (
      update notification_channels c set status = 'DISABLED', disabled_reason = ${reason}, updated_at = ${now}, leased_by = null, leased_until = null
       where c.organization_id = ${organization_id} and c.status = 'ACTIVE'
         and (c.created_by in (select id from made) or c.vouched_by in (select id from made))
      returning c.id, c.workspace_id, c.environment_id
    ), forgotten as (
      delete from channel_messages m using ended e where m.organization_id = ${organization_id} and m.channel_id = e.id)
    select id, workspace_id, environment_id from ended order by id`.execute(tx);
  return rows;
};
