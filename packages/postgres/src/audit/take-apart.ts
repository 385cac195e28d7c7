import { sql } from 'kysely';
import { isOfTheRows } from '../connection/is-of-the-rows.ts';
import type { FeedTransaction } from './feed-positions.ts';
import type { Fed, FeedEvent } from './read-feed.ts';

/** What a consumer writes of events, and what instead of an organization whose rows the database refuses. */
export type TakenApart<Item extends Fed = FeedEvent> = {
  readonly take: (tx: FeedTransaction, events: readonly Item[]) => Promise<void>;
  readonly leaveOut: (tx: FeedTransaction, left: LeftOut) => Promise<void>;
};

/** An organization whose events a consumer could not take, how many they are, and what the database said. */
export type LeftOut = { readonly organizationId: string; readonly count: number; readonly error: unknown };

/**
 * Takes events organization by organization, so that one whose rows the database refuses holds up no other. Whatever else fails, such as the
 * connection, fails all of them: it would be the same for each.
 */
export const takeApart = async <Item extends Fed>(
  tx: FeedTransaction,
  events: readonly Item[],
  { take, leaveOut }: TakenApart<Item>,
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
