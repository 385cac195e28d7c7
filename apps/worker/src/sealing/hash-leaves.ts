import { LIMITS } from '@svc/contract/tables/limits.ts';
import { eventLeafHash } from '@svc/keyring/log/audit-log.ts';
import type { FeedLeaf } from '@svc/postgres/audit/feed-leaves.ts';
import type { FeedTransaction } from '@svc/postgres/audit/feed-positions.ts';
import type { Grown } from '@svc/postgres/audit/log/sealing.ts';
import { readWhole } from '@svc/postgres/audit/read-whole.ts';

/** The hashes of events whose writer said none: these are read, a bounded part at a time. */
const hashUnsaid = async (tx: FeedTransaction, unsaid: readonly FeedLeaf[]): Promise<ReadonlyMap<string, Buffer>> => {
  const hashes = new Map<string, Buffer>();
  for (let from = 0; from < unsaid.length; ) {
    const { events, count } = await readWhole(tx, unsaid.slice(from, from + LIMITS.audit.feedEventsMax));
    for (const { event } of events) hashes.set(event.id, eventLeafHash(event));
    from += count;
  }
  return hashes;
};

export type OwnLeaf = Grown['leaves'][number] & { readonly organization_id: string };

/**
 * The leaves of what the feed told, in its order. What a writer said is taken as it is: it had the event in its hands, so an event that was
 * changed since is found when the log is verified. One that is gone by now is none.
 */
export const hashLeaves = async (tx: FeedTransaction, fed: readonly FeedLeaf[]): Promise<readonly OwnLeaf[]> => {
  const unsaid = await hashUnsaid(
    tx,
    fed.filter(({ leaf_hash }) => leaf_hash === null),
  );
  return fed.flatMap(({ position: { id: event_id }, organization_id, leaf_hash }) => {
    const hash = leaf_hash === null ? unsaid.get(event_id) : Buffer.from(leaf_hash, 'hex');
    return hash === undefined ? [] : [{ organization_id, event_id, hash }];
  });
};
