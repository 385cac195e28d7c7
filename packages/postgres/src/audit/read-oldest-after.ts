import { sql } from 'kysely';
import type { Database } from '../connection/connect.ts';
import type { FeedPosition } from './read-feed.ts';

/**
 * When the first event that follows a position happened, whether or not the feed tells it yet: a transaction that goes on, in whichever database
 * of the server, holds back all that began after it. Undefined where none follows.
 */
export const readOldestAfter = async (database: Database, { transaction_id, id }: FeedPosition): Promise<string | undefined> => {
  const { rows } = await sql<{ occurred_at: string }>`
    select occurred_at from audit_events
     where transaction_id >= ${transaction_id}::xid8 and transaction_id > '0' and (transaction_id > ${transaction_id}::xid8 or id > ${id})
     order by transaction_id limit 1`.execute(database);
  return rows[0]?.occurred_at;
};
