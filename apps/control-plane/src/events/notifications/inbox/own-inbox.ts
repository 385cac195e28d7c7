import { listVisibleKinds } from '@svc/domain/events/notifications/kinds.ts';
import type { Caller } from '@svc/http/calls/call.ts';
import type { Inbox } from '@svc/postgres/events/notifications/notifications.ts';

/** Returns the caller's inbox, limited to what they may see now. */
export const ownInbox = ({ actor, organizationId, permissions }: Caller): Inbox => ({
  organization_id: organizationId,
  user_id: actor.id,
  kinds: listVisibleKinds((permission) => permissions.has(permission)),
});
