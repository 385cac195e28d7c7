import { LIMITS } from '@svc/contract/tables/limits.ts';
import { eventLeafHash } from '@svc/keyring/log/audit-log.ts';
import type { FeedLeaf } from '@svc/postgres/audit/feed-leaves.ts';
import type { FeedTransaction } from '@svc/postgres/audit/feed-positions.ts';
import type { Rejected } from '@svc/postgres/audit/log/rejections.ts';
import type { Grown } from '@svc/postgres/audit/log/sealing.ts';
import { readWhole } from '@svc/postgres/audit/read-whole.ts';
import { authenticatorOf } from '@svc/postgres/connection/event-authenticator.ts';

const keyOf = (organizationId: string, eventId: string): string => `${organizationId}\n${eventId}`;

/** The hashes of events whose writer said none: these are read, a bounded part at a time. */
const hashUnsaid = async (tx: FeedTransaction, unsaid: readonly FeedLeaf[]): Promise<ReadonlyMap<string, string>> => {
  const hashes = new Map<string, string>();
  for (let from = 0; from < unsaid.length; ) {
    const { events, count } = await readWhole(tx, unsaid.slice(from, from + LIMITS.audit.feedEventsMax));
    for (const { organization_id, event } of events) hashes.set(keyOf(organization_id, event.id), eventLeafHash(event).toString('hex'));
    from += count;
  }
  return hashes;
};

export type OwnLeaf = Grown['leaves'][number] & { readonly organization_id: string };

/**
 * The leaves of what the feed told, in its order, and the events that the service did not write. A leaf hash that a writer said is taken as it
 * is where the MAC covers it; an event that was changed since is found when the log is verified. An event without a MAC is not read at all, so
 * that many of them cost little. One that is gone by now is none.
 */
export const hashLeaves = async (
  tx: FeedTransaction,
  fed: readonly FeedLeaf[],
): Promise<{ readonly leaves: readonly OwnLeaf[]; readonly rejected: readonly Rejected[] }> => {
  const authenticator = authenticatorOf(tx);
  const unsaid = await hashUnsaid(
    tx,
    fed.filter(({ leaf_hash, mac }) => leaf_hash === null && mac !== null),
  );
  const leaves: OwnLeaf[] = [];
  const rejected: Rejected[] = [];
  for (const { position, organization_id, leaf_hash, mac } of fed) {
    const event_id = position.id;
    const hash = leaf_hash ?? unsaid.get(keyOf(organization_id, event_id));
    if (mac === null) rejected.push({ organization_id, event_id });
    else if (hash === undefined) continue;
    else if (authenticator.isAuthentic(organization_id, event_id, hash, mac))
      leaves.push({ organization_id, event_id, hash: Buffer.from(hash, 'hex') });
    else rejected.push({ organization_id, event_id });
  }
  return { leaves, rejected };
};
