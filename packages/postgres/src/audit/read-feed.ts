import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../connection/connect.ts';
import type { TenantTransaction } from '../connection/in-tenant.ts';
import { asAuditEvent, EVENT_NAMES, type EventRow } from './as-audit-event.ts';
import { isAfter } from './feed-horizon.ts';
import { cutLines, eventOfLine, type FeedLine, lineOf, MARKS, type Marks, marksBeside, organizationOf, positionOf } from './feed-lines.ts';

/** The last event that a reader has had: kept by the reader, with what it made of that event. */
export type FeedPosition = { readonly transaction_id: string; readonly id: string };

/** Before every event. */
export const FEED_START: FeedPosition = { transaction_id: '0', id: '' };

/** What stands in the feed: where, and in whose record. */
export type Fed = { readonly position: FeedPosition; readonly organization_id: string };

export type FeedEvent = Fed & { readonly event: AuditEvent };

/** Which events a reader wants, as SQL over `e`, a row of `audit_events`; it is asked of the type and the organization alone. */
export type FeedInterest = RawBuilder<boolean>;

export const ofTypes = (types: readonly string[]): FeedInterest => sql<boolean>`e.type = any(${types}::text[])`;

export type FeedQuestion = {
  readonly after: FeedPosition;
  /** Of one organization; without it of every one that the connection may see. */
  readonly organizationId?: string;
  /** Events that are not of interest are passed over where they lie, `LIMITS.feed.passedOverMax` of them at once. */
  readonly interest?: FeedInterest | undefined;
  /** At most `LIMITS.feed.readAtOnceMax` are read at once, whatever this says, and `LIMITS.audit.feedEventsMax` of those that are of interest. */
  readonly limit: number;
};

export type FeedPage<Item extends Fed = FeedEvent> = {
  readonly events: readonly Item[];
  /** Up to here nothing more of interest is to come, whatever is still to be committed. */
  readonly reached: FeedPosition;
  /** Whether there may be more already. */
  readonly isFull: boolean;
};

/** What every row of an answer tells of the whole: where everything before is settled, how many events there were, and what was passed over. */
type Told = {
  readonly horizon: string;
  readonly found: number;
  readonly passed: number;
  readonly passed_transaction_id: string | null;
  readonly passed_id: string | null;
};
type Row = Told & EventRow & { readonly transaction_id: string };
type Nothing = Told & { readonly transaction_id: null };

/** What data would be as text, which is not asked of each row: only what lies compressed is larger than its place tells. */
export const SIZE = sql.raw('case when pg_column_compression(data) is null then pg_column_size(data) else octet_length(data::text) end');

const namesOf = (of: string, names: readonly string[]) => sql.join(names.map((name) => sql.ref(`${of}.${name}`)));
const WHOLE = ['transaction_id', ...EVENT_NAMES] as const;
const SHORT = ['transaction_id', 'organization_id', 'id', 'type'] as const;

/** Events that follow a position, in their order: those that were there before transactions were counted, by their ids, and those that are settled. */
export const following = ({ after, organizationId }: FeedQuestion, names: readonly string[], limit: number) => {
  const { transaction_id, id } = after;
  const mine = organizationId === undefined ? sql<boolean>`true` : sql<boolean>`e.organization_id = ${organizationId}`;
  return sql`
    select * from (
      (select ${namesOf('e', names)} from audit_events e
        where transaction_id = '0' and ${transaction_id}::xid8 = '0' and id > ${id} and ${mine}
        order by id limit ${limit})
      union all
      (select ${namesOf('e', names)} from audit_events e
        where transaction_id > '0' and transaction_id >= ${transaction_id}::xid8 and transaction_id < pg_snapshot_xmin(pg_current_snapshot())
          and (transaction_id > ${transaction_id}::xid8 or id > ${id}) and ${mine}
        order by transaction_id, id limit ${limit})
    ) as found order by transaction_id, id limit ${limit}`;
};

/** Transactions below the horizon are over, whatever they wrote is there, and none comes to be below it again. */
const HORIZON = sql`pg_snapshot_xmin(pg_current_snapshot())::text as horizon, (select count(*)::int from feed) as found`;

const SIZED = sql`sized as materialized (select e.*, sum(${SIZE}) over (order by transaction_id, id) - ${SIZE} as before from feed e)`;

type Lines = { readonly horizon: string; readonly found: number; readonly told: number; readonly lines: string | null };

/** One text of all that follows. What lies beyond the bytes that are read at once is counted, and its text not made. */
const everything = (question: FeedQuestion, limit: number, marks: Marks) => {
  const isTold = sql`filter (where e.before < ${sql.lit(LIMITS.audit.feedBytesMax)})`;
  return sql<Lines>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as horizon, count(*)::int as found, (count(*) ${isTold})::int as told,
           string_agg(${lineOf(marks)}, ${marks.record} order by e.transaction_id, e.id) ${isTold} as lines
      from (select e.*, sum(${SIZE}) over (order by transaction_id, id rows unbounded preceding) - ${SIZE} as before
              from (${following(question, WHOLE, limit)}) as e) as e`;
};

const ofInterest = (question: FeedQuestion, interest: FeedInterest, limit: number) => sql<Row | Nothing>`
  with passed as materialized (${following(question, SHORT, LIMITS.feed.passedOverMax)}),
  wanted as materialized (select transaction_id, organization_id, id from passed e where ${interest} order by transaction_id, id limit ${limit}),
  feed as materialized (
    select ${namesOf('e', WHOLE)} from wanted w join audit_events e on e.organization_id = w.organization_id and e.id = w.id
  ), ${SIZED},
  last as (select transaction_id, id from passed order by transaction_id desc, id desc limit 1)
  select ${HORIZON}, (select count(*)::int from passed) as passed, last.transaction_id as passed_transaction_id, last.id as passed_id,
         ${namesOf('e', WHOLE)}
    from (values (0)) one left join last on true left join sized e on e.before < ${LIMITS.audit.feedBytesMax}
   order by e.transaction_id, e.id`;

export const ofRow = (row: EventRow & { readonly transaction_id: string }): FeedEvent => ({
  position: { transaction_id: row.transaction_id, id: row.id },
  organization_id: row.organization_id,
  event: asAuditEvent(row),
});

export const reachedBy = (
  after: FeedPosition,
  limit: number,
  told: Pick<Told, 'horizon' | 'found'> & Partial<Told>,
  { count, last }: { readonly count: number; readonly last: FeedPosition | undefined },
): Pick<FeedPage, 'reached' | 'isFull'> => {
  if (last && (told.found > count || told.found === limit)) return { reached: last, isFull: true };
  const { passed_transaction_id: transaction_id, passed_id: id } = told;
  if (told.passed === LIMITS.feed.passedOverMax && transaction_id && id) return { reached: { transaction_id, id }, isFull: true };
  const settled = { transaction_id: told.horizon, id: '' };
  return { reached: isAfter(settled, after) ? settled : after, isFull: false };
};

/** A page of the feed whose events are not made objects of yet. */
type FeedLines = Omit<FeedPage, 'events'> & { readonly lines: readonly FeedLine[] };

/** What follows a position, whatever it is: `LIMITS.audit.feedBytesMax` together at most, or one event. */
const readFeedLines = async (
  database: Database | TenantTransaction,
  question: Omit<FeedQuestion, 'interest'>,
  marks = MARKS,
): Promise<FeedLines> => {
  const most = Math.min(question.limit, LIMITS.feed.readAtOnceMax);
  const { rows } = await everything(question, most, marks).execute(database);
  const [told] = rows;
  if (told === undefined) throw new Error('the feed returned no position');
  const lines = cutLines(told.lines, told.told, marks);
  if (lines === undefined) return await readFeedLines(database, question, marksBeside(told.lines ?? ''));
  const last = lines.at(-1);
  return { lines, ...reachedBy(question.after, most, told, { count: lines.length, last: last && positionOf(last) }) };
};

/** The event of a line, where it stands. */
const asFeedEvent = (line: FeedLine): FeedEvent => ({
  position: positionOf(line),
  organization_id: organizationOf(line),
  event: eventOfLine(line),
});

const readOfInterest = async (
  database: Database | TenantTransaction,
  question: FeedQuestion,
  interest: FeedInterest,
): Promise<FeedPage> => {
  const most = Math.min(question.limit, LIMITS.audit.feedEventsMax);
  const { rows } = await ofInterest(question, interest, most).execute(database);
  const [told] = rows;
  if (told === undefined) throw new Error('the feed returned no position');
  const events = rows.flatMap((row) => (row.transaction_id === null ? [] : [ofRow(row)]));
  return { events, ...reachedBy(question.after, most, told, { count: events.length, last: events.at(-1)?.position }) };
};

/**
 * The events that follow a position, in the one order of the feed: every committed event once, and no gap. A transaction that goes on holds
 * back what began after it, and never makes anything be missed. What they tell is `LIMITS.audit.feedBytesMax` together at most, or one event.
 */
export const readFeed = async (database: Database | TenantTransaction, question: FeedQuestion): Promise<FeedPage> => {
  if (question.interest !== undefined) return await readOfInterest(database, question, question.interest);
  const { lines, ...page } = await readFeedLines(database, question);
  return { ...page, events: lines.map(asFeedEvent) };
};
