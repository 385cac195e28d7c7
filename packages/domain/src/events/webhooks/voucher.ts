import { getReads } from '@svc/contract/events/webhook-reads.ts';
import { effectiveRights, type Rights, type RightsLink } from '../../people/auth/effective-rights.ts';

/** Returns the remaining rights of a subscription's owner; undefined if they may create none any more, or have left. */
export const voucherRights = (links: readonly RightsLink[], nowMs: number): Rights | undefined => {
  const rights = effectiveRights(links, nowMs);
  return rights?.permissions.some((each) => each === 'webhook:create' || each === 'webhook:update') ? rights : undefined;
};

/** Returns true if they may still receive an event: its kind, and its scope. */
export const mayReceiveEvent = (rights: Rights, event: { readonly event_type: string; readonly workspace_id: string | null }): boolean =>
  getReads([event.event_type]).every((read) => rights.permissions.includes(read)) &&
  (rights.workspace_ids === null || (event.workspace_id !== null && rights.workspace_ids.includes(event.workspace_id)));
