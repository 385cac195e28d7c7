import type { Rights } from '../auth/effective-rights.ts';
import { isOwner, type Role } from '../roles/role.ts';

/** What somebody may do at this moment, and whether it is a person in the role of an owner. */
export type Standing = Rights & { readonly is_owner: boolean };

/** What a member has, or is to get. */
export type Grant = Pick<Rights, 'workspace_ids'> & { readonly role: Role };

/** What stands between somebody and a grant: permissions they lack, workspaces beyond theirs, or that it is an owner's. */
export type BeyondReach =
  | { readonly because: 'OWNER' }
  | { readonly because: 'PERMISSIONS'; readonly permissions: readonly string[] }
  | { readonly because: 'WORKSPACES' };

const isWithin = (held: Rights['workspace_ids'], granted: Rights['workspace_ids']): boolean =>
  held === null || (granted?.every((id) => held.includes(id)) ?? false);

/**
 * Nobody grants, changes or takes away what they do not hold: each permission, in each workspace. An owner is made, changed and removed by an
 * owner alone, and never by a key, however much it may do. Undefined where nothing stands in the way.
 */
export const beyondReach = (by: Standing, { role, workspace_ids }: Grant): BeyondReach | undefined => {
  if (isOwner(role) && !(by.is_owner && by.workspace_ids === null)) return { because: 'OWNER' };
  const missing = role.permissions.filter((permission) => !by.permissions.includes(permission));
  if (missing.length > 0) return { because: 'PERMISSIONS', permissions: missing };
  return isWithin(by.workspace_ids, workspace_ids) ? undefined : { because: 'WORKSPACES' };
};
