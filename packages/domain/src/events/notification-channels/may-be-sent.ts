import type { NotificationKind } from '@svc/contract/events/notification-kinds.ts';
import type { Permission } from '@svc/contract/tables/permissions.ts';
import type { Rights } from '../../people/auth/effective-rights.ts';
import { KINDS } from '../notifications/kinds.ts';

/** Returns the permissions that the creator of a channel for these needs: those that read their resources. */
export const readsOfNotices = (kinds: readonly NotificationKind[]): Permission[] => [
  ...new Set(kinds.flatMap((kind) => KINDS[kind].reads)),
];

/** Returns true if the owner of a channel may still receive a notification: its kind, and its scope. */
export const mayBeSent = (
  { permissions, workspace_ids }: Rights,
  { kind, workspace_id }: { readonly kind: NotificationKind; readonly workspace_id: string | null },
): boolean =>
  KINDS[kind].reads.every((read) => permissions.includes(read)) &&
  (workspace_ids === null || (workspace_id !== null && workspace_ids.includes(workspace_id)));
