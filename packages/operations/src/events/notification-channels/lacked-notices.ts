import type { NotificationKind } from '@svc/contract/events/notification-kinds.ts';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { Permission } from '@svc/contract/tables/permissions.ts';
import { readsOfNotices } from '@svc/domain/events/notification-channels/may-be-sent.ts';

/** Returns the notices that the caller may not read: no one may send to a channel what they may not read here. */
export const listLackedNotices = (
  { lacks }: { readonly lacks: (permissions: readonly Permission[]) => Permission[] },
  kinds: readonly NotificationKind[],
): Refusal<'PERMISSION_DENIED'> | undefined => {
  const missing = lacks(readsOfNotices(kinds));
  return missing.length === 0
    ? undefined
    : buildRefusal('PERMISSION_DENIED', 'A channel can only send notifications that its creator may read.', { permissions: missing });
};
