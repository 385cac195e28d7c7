import { readsOf } from '@svc/contract/events/webhook-reads.ts';
import { effectiveRights, type Link, type Rights } from '../../people/auth/effective-rights.ts';

/** What is left of the rights of whoever vouches for a subscription; undefined where they may make none any more, or are gone. */
export const voucherRights = (links: readonly Link[], nowMs: number): Rights | undefined => {
  const rights = effectiveRights(links, nowMs);
  return rights?.permissions.some((each) => each === 'webhook:create' || each === 'webhook:update') ? rights : undefined;
};

/** Whether they may still be told of an event: its kind, and in its place. */
export const mayBeTold = (rights: Rights, event: { readonly event_type: string; readonly workspace_id: string | null }): boolean =>
  readsOf([event.event_type]).every((read) => rights.permissions.includes(read)) &&
  (rights.workspace_ids === null || (event.workspace_id !== null && rights.workspace_ids.includes(event.workspace_id)));
