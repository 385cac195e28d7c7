import type { FeedLeaf } from '@svc/postgres/audit/feed-leaves.ts';
import type { FeedStep, FeedTransaction } from '@svc/postgres/audit/feed-positions.ts';
import type { FeedEvent, FeedInterest, FeedPosition, FeedRow } from '@svc/postgres/audit/read-feed.ts';

/**
 * Reads the events of all organizations in one order, each exactly once. Its results are written in the transaction that moves its
 * position; anything outside the database is stored as rows here, and done by a separate loop. A restored backup may redeliver an event.
 */
type Consumer<Item extends FeedRow> = {
  /** Its unique name, under which its position is stored. */
  readonly name: string;
  /** Initial position: the first event, or the current end. */
  readonly begins: 'first' | 'now';
  /** Filter of events, such as some types; without it all of them. */
  readonly interest?: FeedInterest;
  /** Poll interval of an up-to-date consumer; defaults to `LIMITS.feed.lookEveryMs`. */
  readonly lookEveryMs?: number;
  /** Maximum batch size; defaults to `LIMITS.audit.feedEventsMax`. */
  readonly most?: number;
  /**
   * Returns where to continue from a position that this process did not store: the same, or an earlier one if events would be skipped.
   * Without it the same, unless nothing is settled there. `known` is the position that this process stored; undefined at first, and after a
   * failure.
   */
  readonly lookBack?: (tx: FeedTransaction, held: FeedPosition, known: FeedPosition | undefined) => Promise<FeedPosition>;
  /** Receives the events of all organizations, or of one organization after the database has repeatedly refused those of all. */
  readonly take: FeedStep<Item>['take'];
  /** Writes for an organization whose events the database refuses; that they were left out is logged anyway. */
  readonly leaveOut?: NonNullable<FeedStep['leaveOut']>;
};

export type EventConsumer = Consumer<FeedEvent> & { readonly reads?: 'events' };

/** Receives only the organization and the leaf hash of an event, if its writer stated that. */
export type LeafConsumer = Omit<Consumer<FeedLeaf>, 'interest'> & { readonly reads: 'leaves'; readonly interest?: undefined };

export type FeedConsumer = EventConsumer | LeafConsumer;
