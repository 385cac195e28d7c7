import { sql } from 'kysely';
import type { Database } from '../connection/connect.ts';
import type { TenantTransaction } from '../connection/in-tenant.ts';
import type { FeedPosition } from './read-feed.ts';

/** The current horizon of the feed. */
export type FeedHorizon = {
  /** Before everything that may still come. */
  readonly settled: FeedPosition;
  /** No transaction has begun that has this id, or a later one. */
  readonly next_transaction_id: string;
};

export const readFeedHorizon = async (database: Database | TenantTransaction): Promise<FeedHorizon> => {
  const { rows } = await sql<{ settled: string; next: string }>`
    select pg_snapshot_xmin(s)::text as settled, pg_snapshot_xmax(s)::text as next from pg_current_snapshot() s`.execute(database);
  const { settled = '0', next = '0' } = rows[0] ?? {};
  return { settled: { transaction_id: settled, id: '' }, next_transaction_id: next };
};

const byTransaction = (a: FeedPosition, b: FeedPosition): number => {
  if (a.transaction_id === b.transaction_id) return 0;
  return BigInt(a.transaction_id) < BigInt(b.transaction_id) ? -1 : 1;
};

/** Returns true if one position of the feed comes after another. */
export const isAfter = (position: FeedPosition, other: FeedPosition): boolean =>
  (byTransaction(position, other) || (position.id < other.id ? -1 : Number(position.id > other.id))) > 0;
