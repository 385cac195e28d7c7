import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { Notice } from './notices.ts';

const { listedIndividuallyMax, listedIndividuallyWindowSeconds, perPersonMax } = LIMITS.notifications;

/** One recipient of a notice, and the channels. */
export type WrittenNotification = {
  readonly id: string;
  readonly user_id: string;
  readonly in_inbox: boolean;
  readonly mail_due_at: Date | null;
};

/** Returns recipients with so many recent notifications of this kind that further ones are gathered. */
export const findCrowded = async (
  tx: TenantTransaction,
  { organization_id, kind }: Pick<Notice, 'organization_id' | 'kind'>,
  userIds: readonly string[],
  now: Date,
): Promise<ReadonlySet<string>> => {
  const { rows } = await sql<{ user_id: string }>`
    select u.id as user_id from unnest(${[...userIds]}::text[]) as u (id) where ${listedIndividuallyMax} <= (
      select count(*) from (
        select from notifications where organization_id = ${organization_id} and user_id = u.id and kind = ${kind} and gathered = 0
           and created_at > ${now}::timestamptz - make_interval(secs => ${listedIndividuallyWindowSeconds}) limit ${listedIndividuallyMax}) late)`.execute(
    tx,
  );
  return new Set(rows.map(({ user_id }) => user_id));
};

const listOf = (written: readonly WrittenNotification[]) => sql`
  unnest(${written.map(({ id }) => id)}::text[], ${written.map(({ user_id }) => user_id)}::text[],
         ${written.map(({ in_inbox }) => in_inbox)}::boolean[], ${written.map(({ mail_due_at }) => mail_due_at?.toISOString() ?? null)}::timestamptz[])
    as w (id, user_id, in_inbox, mail_due_at)`;

/** Puts a notice before each of these people. */
export const insertNotifications = async (
  tx: TenantTransaction,
  notice: Notice,
  written: readonly WrittenNotification[],
  now: Date,
): Promise<void> => {
  if (written.length === 0) return;
  await sql`
    insert into notifications (organization_id, id, user_id, kind, subject_type, subject_id, workspace_id, environment_id, event_id, facts,
                               in_inbox, mail_due_at, created_at, updated_at)
    select ${notice.organization_id}, w.id, w.user_id, ${notice.kind}, ${notice.subject_type}, ${notice.subject_id}, ${notice.workspace_id},
           ${notice.environment_id}, ${notice.event_id}, ${JSON.stringify(notice.facts)}::jsonb, w.in_inbox, w.mail_due_at, ${now}, ${now}
      from ${listOf(written)}`.execute(tx);
};

/** Adds a notice for each of these people to a gathered notification. Returns the ids of new ones. */
export const gatherNotifications = async (
  tx: TenantTransaction,
  notice: Notice,
  written: readonly WrittenNotification[],
  now: Date,
): Promise<ReadonlySet<string>> => {
  if (written.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    insert into notifications as n (organization_id, id, user_id, kind, workspace_id, environment_id, gathered, in_inbox, mail_due_at, created_at, updated_at)
    select ${notice.organization_id}, w.id, w.user_id, ${notice.kind}, ${notice.workspace_id}, ${notice.environment_id}, 1, w.in_inbox,
           w.mail_due_at, ${now}, ${now} from ${listOf(written)} order by w.user_id
    on conflict (organization_id, user_id, kind, coalesce(workspace_id, ''), coalesce(environment_id, '')) where gathered > 0 and read_at is null
    do update set gathered = n.gathered + 1, updated_at = excluded.updated_at, in_inbox = n.in_inbox or excluded.in_inbox,
                  mail_due_at = coalesce(n.mail_due_at, excluded.mail_due_at)
    returning n.id`.execute(tx);
  const made = new Set(written.map(({ id }) => id));
  return new Set(rows.flatMap(({ id }) => (made.has(id) ? [id] : [])));
};

/** Keeps of each of these people a bounded number: first goes what was read, and of that the oldest. */
export const boundNotifications = async (tx: TenantTransaction, organizationId: string, userIds: readonly string[]): Promise<void> => {
  await sql`
    delete from notifications where organization_id = ${organizationId} and id in (
      select id from unnest(${[...userIds]}::text[]) as u (user_id) cross join lateral (
        select n.id from notifications n where n.organization_id = ${organizationId} and n.user_id = u.user_id
         order by n.read_at is null desc, n.id desc offset ${perPersonMax}) over_bound)`.execute(tx);
};
