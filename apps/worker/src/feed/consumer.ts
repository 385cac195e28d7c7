import type { FeedLeaf } from '@svc/postgres/audit/feed-leaves.ts';
import type { FeedStep, FeedTransaction } from '@svc/postgres/audit/feed-positions.ts';
import type { Fed, FeedEvent, FeedInterest, FeedPosition } from '@svc/postgres/audit/read-feed.ts';

/**
 * What reads the events of all organizations in one order, each of them once. What it makes of them it writes in the transaction that moves its
 * position; whatever goes out of the database is written as rows here, and done by a loop of its own afterwards. A restored backup may tell it
 * of an event again.
 */
type Consumer<Item extends Fed> = {
  /** A word of its own, under which its position is kept. */
  readonly name: string;
  /** Where one begins that has no position yet: with the first event there is, or with those from now on. */
  readonly begins: 'first' | 'now';
  /** What it is handed of the events, those of a few types perhaps; without it all of them. */
  readonly interest?: FeedInterest;
  /** Between two looks when it has taken everything; `LIMITS.feed.lookEveryMs` if it says nothing. */
  readonly lookEveryMs?: number;
  /** How many events it takes at once; `LIMITS.audit.feedEventsMax` if it says nothing. */
  readonly most?: number;
  /**
   * Where it goes on, of a position that this process did not leave there: the same, or an earlier one where that passes over what it has to take.
   * Without it the same, unless nothing is settled there.
   * `known` is what this process left there; undefined at first, and after it broke off.
   */
  readonly lookBack?: (tx: FeedTransaction, held: FeedPosition, known: FeedPosition | undefined) => Promise<FeedPosition>;
  /** Handed the events of all organizations, and of one by itself after those of all were refused by the database again and again. */
  readonly take: FeedStep<Item>['take'];
  /** What is written of an organization of which the database refuses what was made of its events; that they were left out is told anyhow. */
  readonly leaveOut?: NonNullable<FeedStep['leaveOut']>;
};

export type EventConsumer = Consumer<FeedEvent> & { readonly reads?: 'events' };

/** Handed no more of an event than whose it is and the hash of its leaf, where its writer said that. */
export type LeafConsumer = Omit<Consumer<FeedLeaf>, 'interest'> & { readonly reads: 'leaves'; readonly interest?: undefined };

export type FeedConsumer = EventConsumer | LeafConsumer;
