import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { Permission } from '@svc/contract/tables/permissions.ts';
import { both, effectiveRights } from '@svc/domain/people/auth/effective-rights.ts';
import type { BeyondAutomation, BeyondReach, GrantorRights } from '@svc/domain/people/members/grant.ts';
import { isOwner } from '@svc/domain/people/roles/role.ts';
import type { EventActor } from '@svc/postgres/change/change.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import { lockStaff, readStandingNow } from '@svc/postgres/people/members/staff.ts';
import type { CallContext } from '../auth/acting.ts';

/** Returns the current permissions of a person or key; undefined if it no longer exists. */
export const readCurrentPermissions = async (
  tx: TenantTransaction,
  organizationId: string,
  actor: Pick<EventActor, 'type' | 'id'>,
  now: Date,
): Promise<GrantorRights | undefined> => {
  const { links, role } = await readStandingNow(tx, organizationId, actor);
  const rights = effectiveRights(links, now.getTime());
  return rights && { ...rights, is_owner: actor.type === 'USER' && role !== null && isOwner(role), is_key: actor.type === 'API_KEY' };
};

/**
 * Serializes changes of members, roles and invitations; returns the caller's current permissions. They were authenticated before, and may
 * have lost meanwhile what the change needs.
 */
export const lockCurrentPermissions = async (
  tx: TenantTransaction,
  { scope, actor, now }: CallContext,
  needs: readonly Permission[],
): Promise<GrantorRights | Refusal<'PERMISSION_DENIED'>> => {
  await lockStaff(tx, scope.organization_id);
  const standing = await inWholeOrganization(tx, scope, () => readCurrentPermissions(tx, scope.organization_id, actor, now));
  const lacked = needs.find((permission) => !standing?.permissions.includes(permission));
  if (!standing || lacked !== undefined)
    return buildRefusal('PERMISSION_DENIED', undefined, lacked === undefined ? {} : { permission: lacked });
  return { ...standing, workspace_ids: both(standing.workspace_ids, scope.workspace_ids ?? null) };
};

const SENTENCES = {
  OWNER: 'Only an owner with access to the whole organization can add, change or remove an owner.',
  PERMISSIONS: 'You can only grant, change or remove permissions that you have.',
  AUTOMATION:
    'An API key cannot assign a role with these permissions. Ask a user to change the member, or invite the person, which a user then confirms.',
  WORKSPACES:
    'This reaches beyond the workspaces that you can access. Name some of yours as workspace_ids, or ask a user with access to all.',
} as const;

/** Formats what exceeds the caller's permissions. */
export const refuseExcess = (beyond: BeyondReach | BeyondAutomation): Refusal<'PERMISSION_DENIED'> =>
  buildRefusal('PERMISSION_DENIED', SENTENCES[beyond.because], 'permissions' in beyond ? { permissions: beyond.permissions } : {});
