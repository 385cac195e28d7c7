import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import { isAfter } from '../../audit/feed-horizon.ts';
import { keepAuthentic } from '../../audit/keep-authentic.ts';
import type { FeedEvent, FeedPosition } from '../../audit/read-feed.ts';
import { readFeedStretch } from '../../audit/read-feed-stretch.ts';
import type { Database } from '../../connection/connect.ts';
import { inheritAuthenticator } from '../../connection/event-authenticator.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { isUnavailable } from '../../connection/is-unavailable.ts';
import { isSubscribedTo } from './fan-out.ts';

/** A range of the feed of one organization without deliveries so far: after `after`, up to and including `until`. */
export type Stretch = { readonly organization_id: string; readonly after: FeedPosition; readonly until: FeedPosition };

type Reach = { readonly organization_id: string; readonly until: FeedPosition };

const asArrays = (reaches: readonly Reach[]) => sql`
  unnest(${reaches.map((each) => each.organization_id)}::text[], ${reaches.map(({ until }) => until.transaction_id)}::text[],
         ${reaches.map(({ until }) => until.id)}::text[])`;

/** Extends existing ranges of organizations by what happened since; returns these organizations. */
export const extendStretches = async (tx: TenantTransaction, reaches: readonly Reach[]): Promise<ReadonlySet<string>> => {
  if (reaches.length === 0) return new Set();
  const { rows } = await sql<{ organization_id: string }>`
    update webhook_stretches w set until_transaction_id = q.transaction_id::xid8, until_id = q.id
      from ${asArrays(reaches)} as q (organization_id, transaction_id, id) where w.organization_id = q.organization_id
    returning w.organization_id`.execute(tx);
  return new Set(rows.map(({ organization_id }) => organization_id));
};

export const beginStretches = async (tx: TenantTransaction, stretches: readonly Stretch[]): Promise<void> => {
  if (stretches.length === 0) return;
  const afters = stretches.map(({ organization_id, after }) => ({ organization_id, until: after }));
  await sql`
    insert into webhook_stretches (organization_id, after_transaction_id, after_id, until_transaction_id, until_id)
    select a.organization_id, a.transaction_id::xid8, a.id, u.transaction_id::xid8, u.id
      from ${asArrays(afters)} as a (organization_id, transaction_id, id)
      join ${asArrays(stretches)} as u (organization_id, transaction_id, id) using (organization_id)`.execute(tx);
};

type Row = {
  readonly organization_id: string;
  readonly after_transaction_id: string;
  readonly after_id: string;
  readonly until_transaction_id: string;
  readonly until_id: string;
};

/** Locks the next range; undefined if there is none. */
const takeDue = async (tx: TenantTransaction): Promise<Stretch | undefined> => {
  const { rows } = await sql<Row>`
    select organization_id, after_transaction_id, after_id, until_transaction_id, until_id from webhook_stretches
     where due_at <= clock_timestamp() order by due_at limit 1 for update skip locked`.execute(tx);
  const [row] = rows;
  return (
    row && {
      organization_id: row.organization_id,
      after: { transaction_id: row.after_transaction_id, id: row.after_id },
      until: { transaction_id: row.until_transaction_id, id: row.until_id },
    }
  );
};

/**
 * Returns true if its receivers have enough to do: of the working receivers with waiting deliveries, the one with the fewest counts.
 * Failing ones delay no one, and a slower receiver of the organization falls behind until too much waits for it.
 */
const hasEnough = async (tx: TenantTransaction, organizationId: string): Promise<boolean> => {
  const { stretchWaitingMin } = LIMITS.webhooks;
  const { rows } = await sql<{ least: number | null }>`
    select min(w.n)::integer as least from webhook_subscriptions s cross join lateral (
      select count(*) as n from (select from webhook_deliveries d
       where d.subscription_id = s.id and d.state = 'WAITING' and d.due_at <= statement_timestamp() limit ${stretchWaitingMin}) x) w
     where s.organization_id = ${organizationId} and s.status = 'ACTIVE' and s.failing_since is null and s.gone_since is null and w.n > 0`.execute(
    tx,
  );
  return (rows[0]?.least ?? 0) >= stretchWaitingMin;
};

const putOff = (tx: Database | TenantTransaction, organizationId: string, ms: number) =>
  sql`
    update webhook_stretches set due_at = clock_timestamp() + make_interval(secs => ${ms / 1000}::double precision)
     where organization_id = ${organizationId}`.execute(tx);

const advance = (tx: TenantTransaction, { organization_id, until }: Stretch, reached: FeedPosition) =>
  isAfter(until, reached)
    ? sql`
        update webhook_stretches set after_transaction_id = ${reached.transaction_id}::xid8, after_id = ${reached.id}, due_at = clock_timestamp()
         where organization_id = ${organization_id}`.execute(tx)
    : sql`delete from webhook_stretches where organization_id = ${organization_id}`.execute(tx);

type Take = (tx: TenantTransaction, events: readonly FeedEvent[]) => Promise<void>;

const stepOf = (reader: Database, take: Take, onTurn: (organizationId: string) => void): Promise<boolean> =>
  reader.transaction().execute(async (tx) => {
    inheritAuthenticator(reader, tx);
    const stretch = await takeDue(tx);
    if (stretch === undefined) return false;
    const { organization_id, after, until } = stretch;
    onTurn(organization_id);
    if (await hasEnough(tx, organization_id)) {
      await putOff(tx, organization_id, LIMITS.webhooks.stretchPauseMs);
      return true;
    }
    const { events, reached } = await readFeedStretch(tx, organization_id, after, until, {
      most: LIMITS.webhooks.stretchEventsMax,
      interest: isSubscribedTo,
    });
    await take(tx, await keepAuthentic(tx, events));
    await advance(tx, stretch, reached);
    return true;
  });

/**
 * Creates the deliveries of the next events, a bounded number, and moves the range in the same transaction. Returns false if there was
 * nothing
 * to do. An organization whose step fails, such as by rows that the database rejects, comes after all others the next time: otherwise it
 * would
 * block them for ever.
 */
export const stepStretch = async (reader: Database, take: Take): Promise<boolean> => {
  let whose: string | undefined;
  try {
    return await stepOf(reader, take, (organizationId) => {
      whose = organizationId;
    });
  } catch (error) {
    if (whose !== undefined && !isUnavailable(error)) await putOff(reader, whose, LIMITS.webhooks.stretchBrokenPauseMs);
    throw error;
  }
};

const IS_LEFT = sql.raw('(after_transaction_id, after_id) <> (until_transaction_id, until_id)');

/** Organizations that are behind, and the last handled event of the furthest one. */
export type StretchesLeft = { readonly organizations: number; readonly oldest_id: string | null };

/** A step that found little ends at a transaction and at no event: then it is the first event of the feed at that position. */
export const readStretchesLeft = async (reader: Database): Promise<StretchesLeft> => {
  const { rows } = await sql<StretchesLeft>`
    select count(*)::int as organizations, min(coalesce(nullif(w.after_id, ''), e.id)) as oldest_id from webhook_stretches w
      left join lateral (select id from audit_events where w.after_id = '' and transaction_id >= w.after_transaction_id
         and transaction_id <= w.until_transaction_id order by transaction_id, id limit 1) e on true
     where ${IS_LEFT}`.execute(reader);
  return rows[0] ?? { organizations: 0, oldest_id: null };
};

/** Events checked on either side of an identifier: those of concurrent transactions are in another order than their ids. */
const LOOKED_AT_MAX = 100;
const LIES_IN = sql.raw(`(e.transaction_id, e.id) > (w.after_transaction_id, w.after_id)
  and (e.transaction_id, e.id) <= (w.until_transaction_id, w.until_id)`);

/** Returns true if the range contains events before an identifier, wherever it is. */
const IS_STALE = (before: string) => sql<boolean>`exists (
  select from (select transaction_id, id from audit_events where organization_id = w.organization_id and id < ${before} and id <= w.until_id
    order by id desc limit ${LOOKED_AT_MAX}) e where ${LIES_IN})`;

/** Organizations whose stretch has events left from before an identifier could have been. */
export const findStaleStretches = async (reader: Database, before: string): Promise<string[]> => {
  const { rows } = await sql<{ organization_id: string }>`
    select organization_id from webhook_stretches w where ${IS_STALE(before)} order by organization_id`.execute(reader);
  return rows.map(({ organization_id }) => organization_id);
};

/**
 * Skips events before an identifier, never to before the range's position or beyond its end; returns both positions,
 * and undefined if another process moved it. Skipped events are not delivered.
 */
export const passOverStale = async (
  tx: TenantTransaction,
  organizationId: string,
  before: string,
): Promise<{ readonly after_event_id: string | null; readonly before_event_id: string } | undefined> => {
  const { rows } = await sql<{ after_event_id: string | null; before_event_id: string }>`
    with stale as (select w.* from webhook_stretches w where w.organization_id = ${organizationId} and ${IS_STALE(before)} for update),
    fresh as (
      select e.* from stale w cross join lateral (
        select transaction_id, id from audit_events where organization_id = w.organization_id and id >= ${before} and id <= w.until_id
         order by id limit ${LOOKED_AT_MAX}) e),
    first as (select e.transaction_id from stale w join fresh e on ${LIES_IN} order by e.transaction_id, e.id limit 1),
    next as (
      select transaction_id, ${before} as id from first
       union all
      select until_transaction_id, until_id from stale
       where not exists (select from first) and (select count(*) from fresh) < ${LOOKED_AT_MAX})
    update webhook_stretches w set after_transaction_id = n.transaction_id, after_id = n.id
      from stale s, next n where w.organization_id = s.organization_id
       and (n.transaction_id, n.id) > (s.after_transaction_id, s.after_id)
    returning nullif(s.after_id, '') as after_event_id, n.id as before_event_id`.execute(tx);
  return rows[0];
};
