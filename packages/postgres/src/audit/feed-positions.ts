import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql, type Transaction } from 'kysely';
import type { Database } from '../connection/connect.ts';
import type { Tables } from '../connection/tables.ts';
import { FEED_START, type FeedEvent, type FeedPosition, readFeed } from './read-feed.ts';

/** In which a consumer writes what it makes of events, and its position. It sees every organization, and what migrations gave to `svc_reader`. */
export type FeedTransaction = Transaction<Tables>;

export type FeedStep = {
  readonly consumer: string;
  /** Writes what comes of these events, and nothing outside the database. */
  readonly take: (tx: FeedTransaction, events: readonly FeedEvent[]) => Promise<void>;
};

/** What a step came to: how many events were taken and up to where. */
export type StepTaken = { readonly count: number; readonly position: FeedPosition };

/** Where a consumer stands. One that has no position yet begins with the first event there is, or with those that are written from now on. */
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

/**
 * Hands the next events to a consumer and moves its position, both in one transaction, so that each is taken once whatever breaks off.
 * Undefined while another process has the consumer, or it waits after a failure.
 */
export const stepFeed = (database: Database, { consumer, take }: FeedStep): Promise<StepTaken | undefined> =>
  database.transaction().execute(async (tx) => {
    const held = await tx
      .selectFrom('feed_positions')
      .select(['transaction_id', 'id'])
      .where('consumer', '=', consumer)
      .where((or) => or.or([or('retry_at', 'is', null), or('retry_at', '<=', sql<string>`clock_timestamp()`)]))
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (held === undefined) return undefined;
    const events = await readFeed(tx, { after: held, limit: LIMITS.audit.feedEventsMax });
    const position = events.at(-1)?.position;
    if (position === undefined) return { count: 0, position: held };
    await take(tx, events);
    await tx
      .updateTable('feed_positions')
      .set({ ...position, failures: 0, retry_at: null, updated_at: sql<string>`clock_timestamp()` })
      .where('consumer', '=', consumer)
      .execute();
    return { count: events.length, position };
  });

/** Keeps every process from trying a consumer again for a while, twice as long each time it breaks off. */
export const putOffFeed = async (database: Database, consumer: string): Promise<void> => {
  const { retryAfterMs, retryAfterMsMax } = LIMITS.feed;
  const wait = sql`least(${retryAfterMsMax}::float8, ${retryAfterMs}::float8 * 2 ^ least(failures, 30)) * interval '1 millisecond'`;
  await database
    .updateTable('feed_positions')
    .set({ failures: sql<number>`failures + 1`, retry_at: sql<string>`clock_timestamp() + ${wait}` })
    .where('consumer', '=', consumer)
    .execute();
};
