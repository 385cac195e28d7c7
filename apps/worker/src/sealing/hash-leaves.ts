import { LIMITS } from '@svc/contract/tables/limits.ts';
import { eventLeafHash } from '@svc/keyring/log/audit-log.ts';
import type { FeedLeaf } from '@svc/postgres/audit/feed-leaves.ts';
import type { FeedTransaction } from '@svc/postgres/audit/feed-positions.ts';
import type { Rejected } from '@svc/postgres/audit/log/rejections.ts';
import type { GrownTree } from '@svc/postgres/audit/log/sealing.ts';
import { readWhole } from '@svc/postgres/audit/read-whole.ts';
import { getEventAuthenticator } from '@svc/postgres/connection/event-authenticator.ts';

const getKey = (organizationId: string, eventId: string): string => `${organizationId}\n${eventId}`;

/** Hashes events whose writer stated no hash: they are read, a bounded part at a time. */
const hashUnsaid = async (tx: FeedTransaction, unsaid: readonly FeedLeaf[]): Promise<ReadonlyMap<string, string>> => {
  const hashes = new Map<string, string>();
  for (let from = 0; from < unsaid.length; ) {
    const { events, count } = await readWhole(tx, unsaid.slice(from, from + LIMITS.audit.feedEventsMax));
    for (const { organization_id, event } of events) hashes.set(getKey(organization_id, event.id), eventLeafHash(event).toString('hex'));
    from += count;
  }
  return hashes;
};

export type OwnLeaf = GrownTree['leaves'][number] & { readonly organization_id: string };

/**
 * Returns the leaves of fed events in order, and the events that the service did not write. A leaf hash stated by a writer is used if the
 * MAC covers it; a later change of the event is found by verification. An event without a MAC is not read, so that many of them are cheap.
 * A deleted one is skipped.
 */
export const hashLeaves = async (
  tx: FeedTransaction,
  fed: readonly FeedLeaf[],
): Promise<{ readonly leaves: readonly OwnLeaf[]; readonly rejected: readonly Rejected[] }> => {
  const authenticator = getEventAuthenticator(tx);
  const unsaid = await hashUnsaid(
    tx,
    fed.filter(({ leaf_hash, mac }) => leaf_hash === null && mac !== null),
  );
  const leaves: OwnLeaf[] = [];
  const rejected: Rejected[] = [];
  for (const { position, organization_id, leaf_hash, mac } of fed) {
    const event_id = position.id;
    const hash = leaf_hash ?? unsaid.get(getKey(organization_id, event_id));
    if (mac === null) rejected.push({ organization_id, event_id });
    else if (hash === undefined) continue;
    else if (authenticator.isAuthentic(organization_id, event_id, hash, mac))
      leaves.push({ organization_id, event_id, hash: Buffer.from(hash, 'hex') });
    else rejected.push({ organization_id, event_id });
  }
  return { leaves, rejected };
};
