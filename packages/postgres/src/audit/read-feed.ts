import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../connection/connect.ts';
import type { TenantTransaction } from '../connection/in-tenant.ts';
import { asAuditEvent, EVENT_NAMES, type StoredEventRow } from './as-audit-event.ts';
import { isAfter } from './feed-horizon.ts';
import {
  cutLines,
  eventOfLine,
  type FeedLine,
  MARKS,
  type Marks,
  marksBeside,
  readLineOrganization,
  readLinePosition,
  toFeedLine,
} from './feed-lines.ts';

/** The last event that a reader has handled: stored by the reader, together with its result. */
export type FeedPosition = { readonly transaction_id: string; readonly id: string };

/** Before every event. */
export const FEED_START: FeedPosition = { transaction_id: '0', id: '' };

/** An entry of the feed: its position, and its organization. */
export type Fed = { readonly position: FeedPosition; readonly organization_id: string };

export type FeedEvent = Fed & { readonly event: AuditEvent };

/** The events that a reader needs, as SQL over `e`, a row of `audit_events`; it may only use the type and the organization. */
export type FeedInterest = RawBuilder<boolean>;

export const selectEventTypes = (types: readonly string[]): FeedInterest => sql<boolean>`e.type = any(${types}::text[])`;

export type FeedQuestion = {
  readonly after: FeedPosition;
  /** Limits the page to one organization; by default it covers every one that the connection may see. */
  readonly organizationId?: string;
  /** Uninteresting events are skipped, `LIMITS.feed.passedOverMax` of them at once. */
  readonly interest?: FeedInterest | undefined;
  /** Regardless of this, at most `LIMITS.feed.readAtOnceMax` are read at once, and `LIMITS.audit.feedEventsMax` interesting ones. */
  readonly limit: number;
};

export type FeedPage<Item extends Fed = FeedEvent> = {
  readonly events: readonly Item[];
  /** No further relevant events will appear up to this position, even from transactions in progress. */
  readonly reached: FeedPosition;
  /** True if there may be more. */
  readonly isFull: boolean;
};

/** Columns that every row of a result repeats: the horizon, the number of events, and the skipped ones. */
type Told = {
  readonly horizon: string;
  readonly found: number;
  readonly passed: number;
  readonly passed_transaction_id: string | null;
  readonly passed_id: string | null;
};
type Row = Told & StoredEventRow & { readonly transaction_id: string };
type Nothing = Told & { readonly transaction_id: null };

/** Estimates the size of the data as text, without computing it for each row: only compressed data is larger than its storage. */
export const SIZE = sql.raw('case when pg_column_compression(data) is null then pg_column_size(data) else octet_length(data::text) end');

const namesOf = (of: string, names: readonly string[]) => sql.join(names.map((name) => sql.ref(`${of}.${name}`)));
const WHOLE = ['transaction_id', ...EVENT_NAMES] as const;
const SHORT = ['transaction_id', 'organization_id', 'id', 'type'] as const;

/** Selects the events after a position, in order: those from before transactions were counted, by their ids, and the settled ones. */
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

/** Transactions below the horizon have ended, everything they wrote is visible, and no new one will be below it. */
const HORIZON = sql`pg_snapshot_xmin(pg_current_snapshot())::text as horizon, (select count(*)::int from feed) as found`;

const SIZED = sql`sized as materialized (select e.*, sum(${SIZE}) over (order by transaction_id, id) - ${SIZE} as before from feed e)`;

type Lines = { readonly horizon: string; readonly found: number; readonly told: number; readonly lines: string | null };

/** Builds one text of all following events. Beyond the maximum of bytes they are counted, and no text is built. */
const everything = (question: FeedQuestion, limit: number, marks: Marks) => {
  const isTold = sql`filter (where e.before < ${sql.lit(LIMITS.audit.feedBytesMax)})`;
  return sql<Lines>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as horizon, count(*)::int as found, (count(*) ${isTold})::int as told,
           string_agg(${toFeedLine(marks)}, ${marks.record} order by e.transaction_id, e.id) ${isTold} as lines
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

export const ofRow = (row: StoredEventRow & { readonly transaction_id: string }): FeedEvent => ({
  position: { transaction_id: row.transaction_id, id: row.id },
  organization_id: row.organization_id,
  event: asAuditEvent(row),
});

export const reachedPosition = (
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

/** A page of the feed whose events are not parsed yet. */
type FeedLines = Omit<FeedPage, 'events'> & { readonly lines: readonly FeedLine[] };

/** Returns the events after any position: `LIMITS.audit.feedBytesMax` in total at most, or one event. */
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
  return { lines, ...reachedPosition(question.after, most, told, { count: lines.length, last: last && readLinePosition(last) }) };
};

/** Returns the event of a line, with its position. */
const asFeedEvent = (line: FeedLine): FeedEvent => ({
  position: readLinePosition(line),
  organization_id: readLineOrganization(line),
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
  return { events, ...reachedPosition(question.after, most, told, { count: events.length, last: events.at(-1)?.position }) };
};

/**
 * Returns the events after a position, in the one order of the feed: every committed event once, and no gap. A transaction in progress
 * delays
 * those that began after it, and never causes a missed event. Their size is `LIMITS.audit.feedBytesMax` in total at most, or one event.
 */
export const readFeed = async (database: Database | TenantTransaction, question: FeedQuestion): Promise<FeedPage> => {
  if (question.interest !== undefined) return await readOfInterest(database, question, question.interest);
  const { lines, ...page } = await readFeedLines(database, question);
  return { ...page, events: lines.map(asFeedEvent) };
};
