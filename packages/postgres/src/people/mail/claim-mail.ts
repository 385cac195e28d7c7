import { NOBODYS_ORGANIZATION } from '@svc/contract/people/nobodys-organization.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { Tables } from '../../connection/tables.ts';

export type ClaimedMail = {
  readonly organization_id: string;
  readonly id: string;
  readonly template: string;
  readonly sealed: Buffer;
  /** Number of this attempt; the result of an earlier one no longer counts once there is a later one. */
  readonly attempts: number;
};

/** A sender, or a position between two in their order. */
type Sender = { readonly organization_id: string; readonly sender_key: string };

/** The senders after which the next claim continues. */
export type ClaimPlace = { readonly strangers: Sender; readonly organizations: Sender };

/** After all unauthenticated senders, and before the first organization. */
const BEHIND_STRANGERS = `${NOBODYS_ORGANIZATION}0`;

/** The start of the first claim; each later one continues after the last sender. */
export const FIRST_PLACE: ClaimPlace = {
  strangers: { organization_id: NOBODYS_ORGANIZATION, sender_key: '' },
  organizations: { organization_id: BEHIND_STRANGERS, sender_key: '' },
};

const { perRecipientPerHourMax, perOrganizationPerHourMax, perStrangerPerHourMax, leaseSeconds } = LIMITS.mail;
const { sendersConsideredMax, perSenderConsideredMax } = LIMITS.mail;

/** Returns true if any mail is due; checked before a claim takes its lock. */
export const isMailDue = async (identity: Database, now: Date): Promise<boolean> => {
  const { rows } = await sql<{ due: boolean }>`
    select exists (select from mails where state = 'WAITING' and due_at <= ${now} and expires_at > ${now}) as due`.execute(identity);
  return rows[0]?.due ?? false;
};

/** The next senders of whom something waits, by steps through the index: it costs nothing how much waits of each. */
const sendersBehind = async (tx: Transaction<Tables>, behind: Sender, within: RawBuilder<unknown>): Promise<readonly Sender[]> => {
  const next = (after: RawBuilder<unknown>) => sql`
    select m.organization_id, m.sender_key from mails m
     where m.state = 'WAITING' and (m.organization_id, m.sender_key) > ${after} and ${within} order by m.organization_id, m.sender_key limit 1`;
  const { rows } = await sql<Sender>`
    with recursive senders (organization_id, sender_key, n) as (
      (select f.*, 1 from (${next(sql`(${behind.organization_id}, ${behind.sender_key})`)}) f)
       union all
      select x.*, s.n + 1 from senders s cross join lateral (${next(sql`(s.organization_id, s.sender_key)`)}) x
       where s.n < ${sendersConsideredMax})
    select organization_id, sender_key from senders order by n`.execute(tx);
  return rows;
};

/** Selects the longest due mails of each sender, a bounded number of each. */
const oldestOfEach = (senders: readonly Sender[], now: Date) => sql`
      select w.* from unnest(${senders.map((each) => each.organization_id)}::text[], ${senders.map((each) => each.sender_key)}::text[])
        as s (organization_id, sender_key) cross join lateral (
          select m.id, m.organization_id, m.recipient_key, m.sender_key, m.template, m.per_hour_max, m.created_at, m.started_at, m.expires_at
            from mails m where m.state = 'WAITING' and m.organization_id = s.organization_id and m.sender_key = s.sender_key
             and m.due_at <= ${now} and m.expires_at > ${now} order by m.due_at limit ${perSenderConsideredMax}) w`;

const takeNext = async (tx: Transaction<Tables>, senders: readonly Sender[], now: Date, limit: number): Promise<readonly ClaimedMail[]> => {
  const hourAgo = sql`${now}::timestamptz - interval '1 hour'`;
  const startedBy = (of: RawBuilder<unknown>) => sql`
    cross join lateral (select count(*) as n, min(m.started_at) + interval '1 hour' as free_at from mails m where ${of} and m.started_at > ${hourAgo}) h`;
  const { rows } = await sql<ClaimedMail>`
    with considered as materialized (${oldestOfEach(senders, now)}),
    by_sender as materialized (
      select d.sender_key, h.* from (select distinct sender_key from considered) d ${startedBy(sql`m.sender_key = d.sender_key`)}),
    to_recipient as materialized (
      select d.recipient_key, h.* from (select distinct recipient_key from considered) d ${startedBy(sql`m.recipient_key = d.recipient_key`)}),
    of_template as materialized (
      select d.recipient_key, d.template, h.* from (select distinct recipient_key, template from considered) d
        ${startedBy(sql`m.recipient_key = d.recipient_key and m.template = d.template`)}),
    -- What was tried before has its place in the hour already.
    counted as materialized (
      select c.id, c.created_at, c.expires_at, c.per_hour_max, c.started_at is not null as is_counted,
             row_number() over (partition by c.sender_key order by c.created_at, c.id) as turn,
             count(*) filter (where c.started_at is null) over (partition by c.sender_key order by c.created_at, c.id) as of_sender,
             count(*) filter (where c.started_at is null) over (partition by c.recipient_key order by c.created_at, c.id) as of_recipient,
             count(*) filter (where c.started_at is null) over (partition by c.recipient_key, c.template order by c.created_at, c.id) as like_it,
             s.n as by_sender, r.n as to_recipient, t.n as of_template, p.per_sender,
             greatest(case when s.n >= p.per_sender then s.free_at end, case when r.n >= ${perRecipientPerHourMax} then r.free_at end,
                      case when t.n >= c.per_hour_max then t.free_at end) as free_at
        from considered c join by_sender s using (sender_key) join to_recipient r using (recipient_key)
        join of_template t using (recipient_key, template)
       cross join lateral (select case when c.organization_id = ${NOBODYS_ORGANIZATION} then ${perStrangerPerHourMax}::integer
                                       else ${perOrganizationPerHourMax}::integer end as per_sender) p),
    -- What is over a share that is used up is looked at again once there is room in it, and stands before nothing of its sender until then.
    put_off as (
      update mails m set due_at = least(c.free_at, m.expires_at) from counted c
       where m.id = c.id and m.state = 'WAITING' and m.due_at <= ${now} and not c.is_counted and c.free_at is not null),
    next as (
      select id from counted
       where is_counted or (by_sender + of_sender <= per_sender and to_recipient + of_recipient <= ${perRecipientPerHourMax}
         and of_template + like_it <= per_hour_max)
       order by by_sender + turn, created_at, id limit ${limit}),
    locked as (
      select m.id from mails m join next n on n.id = m.id where m.state = 'WAITING' and m.due_at <= ${now} for update of m skip locked)
    update mails m set attempts = m.attempts + 1, failure = null, started_at = coalesce(m.started_at, ${now}),
           due_at = ${now}::timestamptz + make_interval(secs => ${leaseSeconds})
      from locked l where m.id = l.id
    returning m.organization_id, m.id, m.template, m.sealed, m.attempts`.execute(tx);
  return rows;
};

/** Behind the last of all the first one is next. */
const nextSenders = async (tx: Transaction<Tables>, behind: Sender, first: Sender, within: RawBuilder<unknown>) => {
  const found = await sendersBehind(tx, behind, within);
  return found.length > 0 || behind === first ? found : sendersBehind(tx, first, within);
};

/** Returns where the next claim continues: after the last examined sender, and after the last of all at the first. */
const placeAfter = (senders: readonly Sender[], first: Sender): Sender =>
  senders.length < sendersConsideredMax ? first : (senders.at(-1) ?? first);

/**
 * Leases the next mails for one plane: the oldest of each sender in turn, first of those with the least within the hour,
 * however much another has waiting. Each claim examines a bounded number of senders, and the next claim continues. Mails over an hourly
 * rate limit of their recipient, template or sender wait. One plane claims at a time, so that two do not both use the last slot of such a
 * limit; once the lease expires, as after a crash, the next claim gets the mail again.
 */
export const claimMails = (
  identity: Database,
  now: Date,
  limit: number,
  place: ClaimPlace = FIRST_PLACE,
): Promise<{ readonly mails: readonly ClaimedMail[]; readonly place: ClaimPlace }> =>
  identity.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('svc mails', 0))`.execute(tx);
    const strangers = await nextSenders(tx, place.strangers, FIRST_PLACE.strangers, sql`m.organization_id < ${BEHIND_STRANGERS}`);
    const organizations = await nextSenders(tx, place.organizations, FIRST_PLACE.organizations, sql`true`);
    const mails = await takeNext(tx, [...strangers, ...organizations], now, limit);
    const after = {
      strangers: placeAfter(strangers, FIRST_PLACE.strangers),
      organizations: placeAfter(organizations, FIRST_PLACE.organizations),
    };
    return { mails, place: after };
  });
