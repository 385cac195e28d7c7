import type { ChannelKind } from '@svc/contract/events/notification-channels.ts';
import type { NotificationKind } from '@svc/contract/events/notification-kinds.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { LeasedChannel } from './lease-channels.ts';

type Key = { readonly organization_id: string; readonly id: string };

/** The destination of a post. */
export type PostedTo = {
  readonly kind: ChannelKind;
  readonly sealed_url: Buffer;
  /** The data key of the organization. */
  readonly wrapped_key: Buffer;
  readonly organization_name: string;
  readonly failures: number;
  readonly vouched_by: string;
};

/** Undefined if its lease expired or it is disabled. */
export const findPostedTo = async (tx: TenantTransaction, { organization_id, id, lease }: LeasedChannel): Promise<PostedTo | undefined> => {
  const { rows } = await sql<PostedTo>`
    select c.kind, c.sealed_url, k.wrapped_key, o.name as organization_name, c.failures, c.vouched_by
      from notification_channels c join data_keys k on k.organization_id = c.organization_id join organizations o on o.id = c.organization_id
     where c.organization_id = ${organization_id} and c.id = ${id} and c.status = 'ACTIVE' and c.leased_by = ${lease}`.execute(tx);
  return rows[0];
};

export type WaitingMessage = {
  readonly id: string;
  readonly kind: NotificationKind | null;
  readonly workspace_id: string | null;
  readonly facts: Readonly<Record<string, string>>;
  readonly gathered: number;
  /** True if it is a count only, since its names were already posted. */
  readonly is_rest: boolean;
  readonly link: string;
  /**
   * True if it must not be posted: it waited too long, is outside of the channel's scope, or its approval no longer waits. A test has no
   * subject.
   */
  readonly is_over: boolean;
};

/** Lists the longest waiting messages of a channel. */
export const listWaitingMessages = async (tx: TenantTransaction, { organization_id, id }: Key, now: Date): Promise<WaitingMessage[]> => {
  const { rows } = await sql<WaitingMessage>`
    select m.id, m.kind, m.workspace_id, m.facts, m.gathered, m.link, m.kind is not null and m.subject_id is null as is_rest,
           m.created_at < ${now}::timestamptz - make_interval(secs => ${LIMITS.channels.messageLifetimeSeconds})
           or (m.kind is not null and not (m.kind = any (c.notices) and (c.workspace_id is null or c.workspace_id is not distinct from m.workspace_id)
             and (c.environment_id is null or c.environment_id is not distinct from m.environment_id)))
           or (m.kind = 'approval_waiting' and m.gathered = 1 and m.subject_id is not null and not exists (select from approvals p
             where p.organization_id = m.organization_id and p.id = m.subject_id and p.status = 'PENDING' and p.expires_at > ${now})) as is_over
      from channel_messages m join notification_channels c on c.organization_id = m.organization_id and c.id = m.channel_id
     where m.organization_id = ${organization_id} and m.channel_id = ${id}
     order by m.id limit ${LIMITS.channels.messagesPerPostMax}`.execute(tx);
  return rows;
};
