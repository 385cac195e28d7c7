import { sql } from 'kysely';
import type { Database } from '../connection/connect.ts';
import type { FeedPosition } from './read-feed.ts';

/** Before every event there is. */
const FIRST_YEAR = '2000-01-01 00:00:00+00';

/**
 * When the first event that follows a position happened, in milliseconds since 1970, whether or not the feed tells it yet: a transaction that goes
 * on, in whichever database of the server, holds back all that began after it. Of a consumer that breaks off it is told no later than since when
 * it does, whatever time the event says. Undefined where none follows.
 */
export const readOldestAfter = async (
  database: Database,
  consumer: string,
  { transaction_id, id }: FeedPosition,
): Promise<number | undefined> => {
  const { rows } = await sql<{ ms: number }>`
    select (extract(epoch from greatest(${FIRST_YEAR}::timestamptz, least(clock_timestamp(), e.occurred_at, p.failing_since))) * 1000)::float8 as ms
      from (select occurred_at from audit_events
             where transaction_id >= ${transaction_id}::xid8 and transaction_id > '0' and (transaction_id > ${transaction_id}::xid8 or id > ${id})
             order by transaction_id limit 1) e
      left join feed_positions p on p.consumer = ${consumer}`.execute(database);
  return rows[0]?.ms;
};
