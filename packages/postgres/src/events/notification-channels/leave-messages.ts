import type { NotificationKind } from '@svc/contract/events/notification-kinds.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** A channel that takes a notice, and whose rights apply. */
export type TakingChannel = {
  readonly id: string;
  readonly vouched_by: string;
};

type What = {
  readonly organization_id: string;
  readonly kind: NotificationKind;
  readonly workspace_id: string | null;
  readonly environment_id: string | null;
};

/** Finds channels for such notices, from such a scope. */
export const findTakingChannels = async (
  tx: TenantTransaction,
  { organization_id, kind, workspace_id, environment_id }: What,
): Promise<TakingChannel[]> => {
  const { rows } = await sql<TakingChannel>`
    select id, vouched_by from notification_channels
     where organization_id = ${organization_id} and status = 'ACTIVE' and ${kind} = any (notices)
       and (workspace_id is null or workspace_id = ${workspace_id}) and (environment_id is null or environment_id = ${environment_id})
     order by id`.execute(tx);
  return rows;
};

/** One message for several channels. */
export type LeftMessage = {
  readonly organization_id: string;
  /** Null of a test. */
  readonly kind: NotificationKind | null;
  readonly subject_id: string | null;
  readonly workspace_id: string | null;
  readonly environment_id: string | null;
  readonly facts: Readonly<Record<string, string>>;
  readonly link: string;
};

/**
 * Enqueues a message for each of these channels, each under its own id. If too many of its kind wait, the newest of them with the same
 * scope counts one more, so that a reader of one workspace, and a channel later limited to one scope, get the right
 * count.
 */
export const leaveMessages = async (
  tx: TenantTransaction,
  { organization_id, kind, subject_id, workspace_id, environment_id, facts, link }: LeftMessage,
  channels: readonly { readonly id: string; readonly channel_id: string }[],
): Promise<void> => {
  if (channels.length === 0) return;
  await sql`
    with asked as (
      select q.id, q.channel_id, newest.id as newest, newest.waiting
        from unnest(${channels.map(({ id }) => id)}::text[], ${channels.map(({ channel_id }) => channel_id)}::text[]) as q (id, channel_id)
        cross join lateral (
          select max(m.id) filter (where m.workspace_id is not distinct from ${workspace_id}::text
             and m.environment_id is not distinct from ${environment_id}::text) as id, count(*) as waiting from channel_messages m
           where m.organization_id = ${organization_id} and m.channel_id = q.channel_id and m.kind is not distinct from ${kind}::text) newest),
    counted as (
      update channel_messages m set gathered = m.gathered + 1 from asked a
       where m.organization_id = ${organization_id} and m.id = a.newest and a.waiting >= ${LIMITS.channels.listedIndividuallyMax}
      returning a.channel_id)
    insert into channel_messages (organization_id, id, channel_id, kind, subject_id, workspace_id, environment_id, facts, link)
    select ${organization_id}, id, channel_id, ${kind}, ${subject_id}, ${workspace_id}, ${environment_id}, ${JSON.stringify(facts)}, ${link} from asked
     where channel_id not in (select channel_id from counted)`.execute(tx);
};

type Key = { readonly organization_id: string; readonly id: string };

export const countWaitingTests = async (tx: TenantTransaction, { organization_id, id }: Key): Promise<number> => {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::integer as waiting from channel_messages
     where organization_id = ${organization_id} and channel_id = ${id} and kind is null`.execute(tx);
  return rows[0]?.waiting ?? 0;
};

/** Drops the waiting messages of a channel. */
export const forgetMessages = async (tx: TenantTransaction, { organization_id, id }: Key): Promise<void> => {
  await tx.deleteFrom('channel_messages').where('organization_id', '=', organization_id).where('channel_id', '=', id).execute();
};
