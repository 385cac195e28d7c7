import type { ChosenPreferences } from '@svc/contract/events/notifications.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** Returns a person's choices; empty if there are none. */
export const findPreferences = async (tx: TenantTransaction, userId: string): Promise<ChosenPreferences> => {
  const row = await tx.selectFrom('notification_preferences').select('preferences').where('user_id', '=', userId).executeTakeFirst();
  return row?.preferences ?? {};
};

/** The same, with a row that is locked until the transaction ends. */
export const lockPreferences = async (tx: TenantTransaction, userId: string): Promise<ChosenPreferences> => {
  const { rows } = await sql<{ preferences: ChosenPreferences }>`
    insert into notification_preferences (user_id) values (${userId})
    on conflict (user_id) do update set user_id = excluded.user_id returning preferences`.execute(tx);
  return rows[0]?.preferences ?? {};
};

export const writePreferences = async (tx: TenantTransaction, userId: string, preferences: ChosenPreferences, now: Date): Promise<void> => {
  await tx
    .updateTable('notification_preferences')
    .set({ preferences: JSON.stringify(preferences), updated_at: now })
    .where('user_id', '=', userId)
    .execute();
};

const { mailsPerHourMax, mailIntervalSeconds, mailIntervalSecondsMax } = LIMITS.notifications;

/**
 * Takes a mail from a person's rate limit, over all organizations: undefined if it was taken, and otherwise the time of the next
 * one. Each within an hour waits twice as long as the one before.
 */
export const takeMailTurn = async (tx: TenantTransaction, userId: string, now: Date): Promise<string | undefined> => {
  const isNewHour = sql`p.hour_began_at is null or p.hour_began_at <= ${now}::timestamptz - interval '1 hour'`;
  const { rows } = await sql`
    insert into notification_preferences as p (user_id, hour_began_at, mails_in_hour, last_mail_at) values (${userId}, ${now}, 1, ${now})
    on conflict (user_id) do update set
      hour_began_at = case when ${isNewHour} then ${now} else p.hour_began_at end,
      mails_in_hour = case when ${isNewHour} then 1 else p.mails_in_hour + 1 end, last_mail_at = ${now}
     where ${isNewHour} or (p.mails_in_hour < ${mailsPerHourMax}
       and p.last_mail_at <= ${now}::timestamptz - make_interval(secs =>
         least(${mailIntervalSecondsMax}::float8, ${mailIntervalSeconds}::float8 * 2 ^ p.mails_in_hour)))
    returning 1`.execute(tx);
  if (rows.length > 0) return undefined;
  const { rows: waits } = await sql<{ from: string }>`
    select case when mails_in_hour >= ${mailsPerHourMax} then hour_began_at + interval '1 hour'
                else last_mail_at + make_interval(secs => least(${mailIntervalSecondsMax}::float8, ${mailIntervalSeconds}::float8 * 2 ^ mails_in_hour))
           end as from
      from notification_preferences where user_id = ${userId}`.execute(tx);
  return waits[0]?.from;
};
