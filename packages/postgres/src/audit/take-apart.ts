import { sql } from 'kysely';
import { isOfTheRows } from '../connection/is-of-the-rows.ts';
import type { FeedTransaction } from './feed-positions.ts';
import type { FeedEvent, FeedRow } from './read-feed.ts';

/** The writes of a consumer for events, and the replacement for an organization whose rows the database rejects. */
export type SkippedEvents<Item extends FeedRow = FeedEvent> = {
  readonly take: (tx: FeedTransaction, events: readonly Item[]) => Promise<void>;
  readonly leaveOut: (tx: FeedTransaction, left: SkippedOrganization) => Promise<void>;
};

/** An organization whose events a consumer could not handle, their number, and the database's error. */
export type SkippedOrganization = { readonly organizationId: string; readonly count: number; readonly error: unknown };

/**
 * Handles events organization by organization, so that rejected rows of one do not delay others. Any other failure, such as of the
 * connection, fails all of them: it would be the same for each.
 */
export const takeApart = async <Item extends FeedRow>(
  tx: FeedTransaction,
  events: readonly Item[],
  { take, leaveOut }: SkippedEvents<Item>,
): Promise<void> => {
  for (const [organizationId, own] of Map.groupBy(events, ({ organization_id }) => organization_id)) {
    await sql`savepoint one_organization`.execute(tx);
    try {
      await take(tx, own);
    } catch (error) {
      if (!isOfTheRows(error)) throw error;
      await sql`rollback to savepoint one_organization`.execute(tx);
      await leaveOut(tx, { organizationId, count: own.length, error });
    }
    await sql`release savepoint one_organization`.execute(tx);
  }
};
