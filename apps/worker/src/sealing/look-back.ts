import { isAfter, readFeedHorizon } from '@svc/postgres/audit/feed-horizon.ts';
import type { FeedTransaction } from '@svc/postgres/audit/feed-positions.ts';
import { findNewestSealed, findPassedOver } from '@svc/postgres/audit/log/passed-over.ts';
import { FEED_START, type FeedPosition } from '@svc/postgres/audit/read-feed.ts';
import type { Logger } from 'pino';

/** Position at which sealing continues, and the position up to which the feed may return events that are already leaves. */
export type LookedBack = { readonly position: FeedPosition; readonly retoldUpTo: FeedPosition };

const earlier = (a: FeedPosition, b: FeedPosition): FeedPosition => (isAfter(a, b) ? b : a);

/**
 * Checks a position that this process did not store: it may come from another worker, an operator who released a log, or an attacker with
 * write access who wants events never to be sealed. One that skips settled events, or has no settled transaction, is reset and reported.
 */
export const lookBack = async (
  tx: FeedTransaction,
  log: Logger,
  held: FeedPosition,
  known: FeedPosition | undefined,
): Promise<LookedBack> => {
  const { settled } = await readFeedHorizon(tx);
  const isAhead = isAfter(held, settled);
  const upTo = earlier(held, settled);
  const passed = await findPassedOver(tx, known ?? (await findNewestSealed(tx)), upTo);
  const position = passed === undefined ? upTo : { transaction_id: passed, id: '' };
  if (isAhead || passed !== undefined)
    log.error({ position: held, put_back_to: position }, 'the position of the sealer was ahead of unsealed events: it was reset');
  const isToldOnce = known !== undefined && passed === undefined && !isAfter(known, held);
  return { position: isAhead || passed !== undefined ? position : held, retoldUpTo: isToldOnce ? FEED_START : settled };
};
