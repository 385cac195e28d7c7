import { getReads } from '@svc/contract/events/webhook-reads.ts';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { Permission } from '@svc/contract/tables/permissions.ts';

/** Returns the event types that the caller may not read: no one may deliver elsewhere what they may not read here. */
export const listLackedReads = (
  { lacks }: { readonly lacks: (permissions: readonly Permission[]) => Permission[] },
  eventTypes: readonly string[],
): Refusal<'PERMISSION_DENIED'> | undefined => {
  const missing = lacks(getReads(eventTypes));
  return missing.length === 0
    ? undefined
    : buildRefusal('PERMISSION_DENIED', 'A subscription can only deliver events that its creator may read.', { permissions: missing });
};
