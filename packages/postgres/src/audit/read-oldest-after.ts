import { sql } from 'kysely';
import type { Database } from '../connection/connect.ts';
import type { FeedPosition } from './read-feed.ts';

/** Before every event there is. */
const FIRST_YEAR = '2000-01-01 00:00:00+00';

/**
 * Returns the time of the first event after a position, in milliseconds since 1970, even if the feed does not return it yet: a transaction
 * in progress, in any database of the server, delays all that began after it. For a failing consumer it is no later than its first failure,
 * even if the event states. Undefined if none follows.
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
