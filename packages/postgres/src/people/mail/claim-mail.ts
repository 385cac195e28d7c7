import { NOBODYS_ORGANIZATION } from '@svc/contract/people/nobodys-organization.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';

export type ClaimedMail = {
  readonly organization_id: string;
  readonly id: string;
  readonly template: string;
  readonly sealed: Buffer;
  /** Of this attempt; a later one has a greater number, and what is told of an earlier one then counts no more. */
  readonly attempts: number;
};

const { perRecipientPerHourMax, perOrganizationPerHourMax, perStrangerPerHourMax, consideredMax, leaseSeconds } = LIMITS.mail;

/** Whether anything waits for being sent; asked before anybody is kept waiting for a claim. */
export const isMailDue = async (identity: Database, now: Date): Promise<boolean> => {
  const { rows } = await sql<{ due: boolean }>`
    select exists (select from mails where state = 'WAITING' and due_at <= ${now} and expires_at > ${now}) as due`.execute(identity);
  return rows[0]?.due ?? false;
};

/**
 * Takes the next mails for one plane, for as long as the lease: the oldest of each sender in turn, first of those who had least within the hour. What is over
 * an hour's share of its recipient, of its template or of its sender waits. One plane claims at a time, so that two do not both find the last
 * place of such a share; once the lease is over, as when the plane died, whoever claims next has the mail anew.
 */
export const claimMails = (identity: Database, now: Date, limit: number): Promise<readonly ClaimedMail[]> =>
  identity.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('svc mails', 0))`.execute(transaction);
    const hourAgo = sql`${now}::timestamptz - interval '1 hour'`;
    const waiting = (of: typeof hourAgo) => sql`
      (select id, organization_id, recipient_key, sender_key, template, per_hour_max, created_at, started_at from mails
        where state = 'WAITING' and due_at <= ${now} and expires_at > ${now} and ${of} order by due_at limit ${consideredMax})`;
    const { rows } = await sql<ClaimedMail>`
      with considered as materialized (
        ${waiting(sql`organization_id = ${NOBODYS_ORGANIZATION}`)} union all ${waiting(sql`organization_id <> ${NOBODYS_ORGANIZATION}`)}),
      -- What was tried before has its place in the hour already.
      fitting as (
        select c.id, c.created_at, c.sender_key,
          row_number() over (partition by c.sender_key order by c.created_at, c.id) as turn,
          count(*) filter (where c.started_at is null) over (partition by c.sender_key order by c.created_at, c.id) as of_sender,
          count(*) filter (where c.started_at is null) over (partition by c.recipient_key order by c.created_at, c.id) as of_recipient,
          count(*) filter (where c.started_at is null) over (partition by c.recipient_key, c.template order by c.created_at, c.id) as of_template,
          c.started_at is not null as is_counted, c.per_hour_max,
          case when c.organization_id = ${NOBODYS_ORGANIZATION} then ${perStrangerPerHourMax}::integer else ${perOrganizationPerHourMax}::integer end
            as per_sender,
          (select count(*) from mails m where m.sender_key = c.sender_key and m.started_at > ${hourAgo}) as by_sender,
          (select count(*) from mails m where m.recipient_key = c.recipient_key and m.started_at > ${hourAgo}) as to_recipient,
          (select count(*) from mails m where m.recipient_key = c.recipient_key and m.template = c.template and m.started_at > ${hourAgo})
            as of_template_to_recipient
        from considered c),
      next as (
        select id from fitting
         where is_counted or (by_sender + of_sender <= per_sender and to_recipient + of_recipient <= ${perRecipientPerHourMax}
           and of_template_to_recipient + of_template <= per_hour_max)
         order by by_sender + turn, created_at, id limit ${limit}),
      locked as (
        select m.id from mails m join next n on n.id = m.id where m.state = 'WAITING' and m.due_at <= ${now} for update of m skip locked)
      update mails m set attempts = m.attempts + 1, failure = null, started_at = coalesce(m.started_at, ${now}),
             due_at = ${now}::timestamptz + make_interval(secs => ${leaseSeconds})
        from locked l where m.id = l.id
      returning m.organization_id, m.id, m.template, m.sealed, m.attempts`.execute(transaction);
    return rows;
  });
