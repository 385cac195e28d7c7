import { PERSONAL_PERMISSIONS } from '@svc/contract/automation.ts';
import type { Rights } from '../auth/effective-rights.ts';
import { isOwner, type Role } from '../roles/role.ts';

/** The rights of a caller at this moment, whether it is a person in the role of an owner, and whether it is an API key. */
export type GrantorRights = Rights & { readonly is_owner: boolean; readonly is_key: boolean };

/** The grant of a member, current or requested. */
export type MemberGrant = Pick<Rights, 'workspace_ids'> & { readonly role: Role };

/** The reason why a grant is out of reach: missing permissions, workspaces out of scope, or an owner's grant. */
export type BeyondReach =
  | { readonly because: 'OWNER' }
  | { readonly because: 'PERMISSIONS'; readonly permissions: readonly string[] }
  | { readonly because: 'WORKSPACES' };

/** Permissions of a role that no API key gives to anyone. */
export type BeyondAutomation = { readonly because: 'AUTOMATION'; readonly permissions: readonly string[] };

const isWithin = (held: Rights['workspace_ids'], granted: Rights['workspace_ids']): boolean =>
  held === null || (granted?.every((id) => held.includes(id)) ?? false);

/**
 * Returns why the caller may not grant, change or remove a grant: only what they have themselves, each permission in each workspace. Only
 * an
 * owner creates, changes and removes an owner, and never an API key, even with all permissions. Undefined if it is allowed.
 */
export const beyondReach = (by: GrantorRights, { role, workspace_ids }: MemberGrant): BeyondReach | undefined => {
  if (isOwner(role) && !(by.is_owner && by.workspace_ids === null)) return { because: 'OWNER' };
  const missing = role.permissions.filter((permission) => !by.permissions.includes(permission));
  if (missing.length > 0) return { because: 'PERMISSIONS', permissions: missing };
  return isWithin(by.workspace_ids, workspace_ids) ? undefined : { because: 'WORKSPACES' };
};

/** Returns why the caller may not give a grant: that of `beyondReach`, and for an API key the permissions that only people give. */
export const beyondGiving = (by: GrantorRights, grant: MemberGrant): BeyondReach | BeyondAutomation | undefined => {
  const beyond = beyondReach(by, grant);
  if (beyond || !by.is_key) return beyond;
  const personal = grant.role.permissions.filter((permission) => PERSONAL_PERMISSIONS.has(permission));
  return personal.length > 0 ? { because: 'AUTOMATION', permissions: personal } : undefined;
};
