import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { BUILT_IN_ROLES } from '@svc/contract/tables/built-in-roles.ts';
import type { Permission } from '@svc/contract/tables/permissions.ts';
import type { GrantorRights } from '@svc/domain/people/members/grant.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import type { CallContext } from '../auth/acting.ts';
import { lockCurrentPermissions } from '../members/lock-permissions.ts';

const LIMITED =
  'Roles apply to the whole organization, and members of other workspaces may have this role. Ask a user with access to all workspaces.';

/** Locks role editing for a caller who sees the whole organization, since a role applies everywhere. */
export const takeEditing = async (
  tx: TenantTransaction,
  acting: CallContext,
  needs: Permission,
): Promise<GrantorRights | Refusal<'PERMISSION_DENIED'>> => {
  const by = await lockCurrentPermissions(tx, acting, [needs]);
  if (isRefusal(by) || by.workspace_ids === null) return by;
  return buildRefusal('PERMISSION_DENIED', LIMITED);
};

/** Returns a refusal that names the permissions which the caller lacks; a role with these cannot be created or changed by them. */
export const findLackRefusal = (by: GrantorRights, permissions: readonly string[]): Refusal<'PERMISSION_DENIED'> | undefined => {
  const missing = permissions.filter((each) => !by.permissions.includes(each));
  if (missing.length === 0) return undefined;
  return buildRefusal(
    'PERMISSION_DENIED',
    'You can only create or change a role if you have all its permissions, before and after the change.',
    {
      permissions: missing,
    },
  );
};

const BUILT_IN_NAMES: ReadonlySet<string> = new Set(BUILT_IN_ROLES.map(({ name }) => name));

/** Normalizes names that look equal: full-width letters, surrounding blanks, capitals. */
const plain = (name: string): string => name.normalize('NFKC').trim().toLowerCase();

/** True for the name of a built-in role: rules and people use these names, so a custom role cannot have one. */
export const isBuiltInName = (name: string): boolean => BUILT_IN_NAMES.has(plain(name));

export const BUILT_IN_NAME = 'This is the name of a built-in role: choose another.';
export const BUILT_IN = 'Built-in roles cannot be changed. Create a custom role.';
