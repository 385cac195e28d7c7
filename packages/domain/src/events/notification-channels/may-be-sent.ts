import type { NotificationKind } from '@svc/contract/events/notification-kinds.ts';
import type { Permission } from '@svc/contract/tables/permissions.ts';
import type { Rights } from '../../people/auth/effective-rights.ts';
import { KINDS } from '../notifications/kinds.ts';

/** What whoever makes a channel for these has to hold: what reads their resources. */
export const readsOfNotices = (kinds: readonly NotificationKind[]): Permission[] => [
  ...new Set(kinds.flatMap((kind) => KINDS[kind].reads)),
];

/** Whether who vouches for a channel may still be told of something: its kind, and in its place. */
export const mayBeSent = (
  { permissions, workspace_ids }: Rights,
  { kind, workspace_id }: { readonly kind: NotificationKind; readonly workspace_id: string | null },
): boolean =>
  KINDS[kind].reads.every((read) => permissions.includes(read)) &&
  (workspace_ids === null || (workspace_id !== null && workspace_ids.includes(workspace_id)));
