import { endBelow, endOverdueDelegations } from '@svc/postgres/agents/delegations/end-delegations.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { recordEnded } from './tell-of-ended.ts';

const BATCH = 100;

/** Expires a batch of overdue delegations; if there is none, ends a batch below ended delegations. Returns true if there may be more. */
export const expireDelegations = async (
  { tx, emit }: Change<'delegation.expired' | 'delegation.revoked'>,
  organizationId: string,
  now: Date,
): Promise<boolean> => {
  const end = { status: 'EXPIRED', reason: 'It passed its expiry.', now } as const;
  const expired = await endOverdueDelegations(tx, organizationId, BATCH, end);
  recordEnded(emit, expired);
  // Never both in one transaction: the first locks epochs, and a transaction that holds an epoch must not wait for a row.
  if (expired.length > 0) return true;
  const below = await endBelow(tx, organizationId, now, BATCH);
  recordEnded(emit, below ?? []);
  return below !== undefined;
};
