import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { GrantorRights } from '@svc/domain/people/members/grant.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { lockCurrentPermissions } from '../members/lock-permissions.ts';

/** The person who created the directory's token, and the time. */
export type Directed = { readonly organization_id: string; readonly made_by: string; readonly now: Date };

const NOTHING: GrantorRights = { permissions: [], workspace_ids: [], is_owner: false, is_key: false };

/**
 * Returns the current permissions of a directory: those of the creator of its token. They were checked at authentication, but the creator
 * may have lost some or groups may map to more by now: without permissions the directory can change no one.
 */
export const readDirectoryPermissions = async (
  tx: TenantTransaction,
  { organization_id, made_by, now }: Directed,
): Promise<GrantorRights> => {
  const by = await lockCurrentPermissions(tx, { scope: { organization_id }, actor: { type: 'USER', id: made_by, name: null }, now }, [
    'sso:update',
  ]);
  return isRefusal(by) ? NOTHING : by;
};
