import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql, type Transaction } from 'kysely';
import type { Database } from '../connection/connect.ts';
import { inheritAuthenticator } from '../connection/event-authenticator.ts';
import type { Tables } from '../connection/tables.ts';
import { isAfter } from './feed-horizon.ts';
import {
  FEED_START,
  type FeedEvent,
  type FeedInterest,
  type FeedPage,
  type FeedPosition,
  type FeedQuestion,
  type FeedRow,
} from './read-feed.ts';
import { type SkippedEvents, takeApart } from './take-apart.ts';

/**
 * The transaction in which a consumer writes its results and its position. It sees every organization, and what migrations granted to
 * `svc_reader`.
 */
export type FeedTransaction = Transaction<Tables>;

export type FeedStep<Item extends FeedRow = FeedEvent> = {
  readonly consumer: string;
  readonly interest?: FeedInterest | undefined;
  /** The position up to which this process found nothing of interest, after the stored one. */
  readonly from?: FeedPosition | undefined;
  /** True if a position that only skipped uninteresting events is stored. */
  readonly keeps?: boolean;
  /** Maximum number of events per step; default `LIMITS.audit.feedEventsMax`. */
  readonly most?: number | undefined;
  /** Reads the feed. */
  readonly read: (tx: FeedTransaction, question: FeedQuestion) => Promise<FeedPage<Item>>;
  /** Returns where to continue from the stored position: the same, or an earlier position to be stored instead. */
  readonly lookBack?: ((tx: FeedTransaction, held: FeedPosition) => Promise<FeedPosition>) | undefined;
  /** Writes what comes of these events, and nothing outside the database. */
  readonly take: SkippedEvents<Item>['take'];
  /** Writes a replacement for an organization whose rows the database repeatedly rejects. Without it none is skipped. */
  readonly leaveOut?: SkippedEvents['leaveOut'];
};

/** The result of a step: the number of events, the reached position, and if there may be more. */
export type FeedAdvance = {
  readonly count: number;
  readonly position: FeedPosition;
  readonly isFull: boolean;
  /** The stored position from now on. */
  readonly kept: FeedPosition;
  /** True if the stored position was too far ahead. */
  readonly isPutBack: boolean;
};

/** Returns the position of a consumer. A new consumer begins with the first existing event, or with those written from now on. */
export const beginFeed = async (database: Database, consumer: string, begins: 'first' | 'now'): Promise<FeedPosition> => {
  const transaction =
    begins === 'first' ? sql<string>`${FEED_START.transaction_id}::xid8` : sql<string>`pg_snapshot_xmin(pg_current_snapshot())`;
  await database
    .insertInto('feed_positions')
    .values({ consumer, transaction_id: transaction, id: FEED_START.id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return await database
    .selectFrom('feed_positions')
    .select(['transaction_id', 'id'])
    .where('consumer', '=', consumer)
    .executeTakeFirstOrThrow();
};

/** Locks the position and failure count of a consumer in the transaction that moves it; a transaction id is assigned only on a write. */
const holdPosition = async (
  tx: FeedTransaction,
  consumer: string,
): Promise<{ readonly position: FeedPosition; readonly failures: number } | undefined> => {
  const { rows } = await sql<{ held: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`svc feed ${consumer}`}, 0)) as held`.execute(tx);
  if (!rows[0]?.held) return undefined;
  const found = await tx
    .selectFrom('feed_positions')
    .select(['transaction_id', 'id', 'failures'])
    .where('consumer', '=', consumer)
    .where((or) => or.or([or('retry_at', 'is', null), or('retry_at', '<=', sql<string>`clock_timestamp()`)]))
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const { failures, ...position } = found;
  return { position, failures };
};

/** Moves only from the locked position: if another process moved it, that one has handled these events. */
const movePosition = async (tx: FeedTransaction, consumer: string, held: FeedPosition, position: FeedPosition): Promise<void> => {
  const moved = await tx
    .updateTable('feed_positions')
    .set({ ...position, failures: 0, failing_since: null, retry_at: null, updated_at: sql<string>`clock_timestamp()` })
    .where('consumer', '=', consumer)
    .where('transaction_id', '=', held.transaction_id)
    .where('id', '=', held.id)
    .executeTakeFirst();
  if (moved.numUpdatedRows !== 1n) throw new Error(`the position of ${consumer} was moved by another`);
};

/**
 * Passes the next events to a consumer and moves its position, both in one transaction, so that each is handled exactly once.
 * Undefined while another process has the consumer, or during its backoff.
 */
export const stepFeed = <Item extends FeedRow>(
  database: Database,
  { consumer, interest, from, keeps = false, most, read, lookBack, take, leaveOut }: FeedStep<Item>,
): Promise<FeedAdvance | undefined> =>
  database.transaction().execute(async (tx) => {
    inheritAuthenticator(database, tx);
    const found = await holdPosition(tx, consumer);
    if (found === undefined) return undefined;
    const { position: held, failures } = found;
    const stood = lookBack === undefined ? held : await lookBack(tx, held);
    const isPutBack = isAfter(held, stood);
    const after = from !== undefined && isAfter(from, stood) ? from : stood;
    const { events, reached, isFull } = await read(tx, { after, interest, limit: most ?? LIMITS.audit.feedEventsMax });
    if (leaveOut && failures >= LIMITS.feed.takeTogetherTriesMax) await takeApart(tx, events, { take, leaveOut });
    else if (events.length > 0) await take(tx, events);
    const isMoved = events.length > 0 || isPutBack || failures > 0 || (keeps && isAfter(reached, held));
    if (isMoved) await movePosition(tx, consumer, held, reached);
    return { count: events.length, position: reached, isFull, kept: isMoved ? reached : held, isPutBack };
  });

/** Keeps every process from trying a consumer again for a while, twice as long each time it breaks off. */
export const putOffFeed = async (database: Database, consumer: string): Promise<void> => {
  const { retryAfterMs, retryAfterMsMax } = LIMITS.feed;
  const wait = sql`least(${retryAfterMsMax}::float8, ${retryAfterMs}::float8 * 2 ^ least(failures, 30)) * interval '1 millisecond'`;
  await database
    .updateTable('feed_positions')
    .set({
      failures: sql<number>`failures + 1`,
      failing_since: sql<string>`coalesce(failing_since, clock_timestamp())`,
      retry_at: sql<string>`clock_timestamp() + ${wait}`,
    })
    .where('consumer', '=', consumer)
    .execute();
};
