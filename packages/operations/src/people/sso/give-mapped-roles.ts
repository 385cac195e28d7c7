import type { Refusal } from '@svc/contract/rows/refusal.ts';
import { beyondReach, type GrantorRights } from '@svc/domain/people/members/grant.ts';
import type { RoleRecord } from '@svc/domain/people/roles/role.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { lockStaff } from '@svc/postgres/people/members/staff.ts';
import { findRole, type StoredRole } from '@svc/postgres/people/roles.ts';
import { findMembers, type SsoMember, setMemberRoles } from '@svc/postgres/people/sso/identities.ts';
import { applyPermissionLoss } from '../members/follow-rights.ts';

/** Called before many people get another role; returns a refusal if the limit is reached. */
export type TakeRoles = (people: number) => Promise<Refusal<'RATE_LIMITED'> | undefined>;

export type Mapping = {
  readonly organization_id: string;
  /** The connection or directory that states it. */
  readonly by: string;
  /** Permissions of the person who is responsible for it: no role beyond them is given or taken. Undefined for a person's own provider. */
  readonly within?: GrantorRights;
  /** Omitted for few people. */
  readonly take?: TakeRoles;
  readonly now: Date;
};

const isBeyond = (within: GrantorRights, { role_id, permissions, workspace_ids }: SsoMember, to: RoleRecord): boolean =>
  [to, { id: role_id, name: role_id, built_in: false, permissions }].some(
    (role) => beyondReach(within, { role, workspace_ids }) !== undefined,
  );

/** Returns the roles that exist and are not the owner role. */
const givableRoles = async (tx: TenantTransaction, organizationId: string, ids: Iterable<string>) => {
  const roles = new Map<string, StoredRole>();
  for (const id of new Set(ids)) {
    const role = await findRole(tx, organizationId, id);
    if (role?.for_keys) roles.set(id, role);
  }
  return roles;
};

/**
 * Gives members the roles that their provider or directory states. A deleted role or the owner role is never given, and owners keep theirs.
 * Few statements for all of them: while this runs, the event feed is blocked for everyone.
 */
export const giveMappedRoles = async (
  change: Change<'member.role_changed' | 'approval.cancelled'>,
  { organization_id, by, within, take, now }: Mapping,
  roleIds: ReadonlyMap<string, string>,
): Promise<Refusal<'RATE_LIMITED'> | undefined> => {
  const { tx, emit } = change;
  await lockStaff(tx, organization_id);
  const roles = await givableRoles(tx, organization_id, roleIds.values());
  const given = (await findMembers(tx, organization_id, [...roleIds.keys()])).flatMap((member) => {
    const role = roles.get(roleIds.get(member.user_id) ?? '');
    if (!role || member.is_owner || member.role_id === role.id || (within && isBeyond(within, member, role))) return [];
    return [{ member, role_id: role.id }];
  });
  if (given.length === 0) return undefined;
  const refused = await take?.(given.length);
  if (refused) return refused;
  await setMemberRoles(
    tx,
    organization_id,
    given.map(({ member: { id }, role_id }) => ({ id, role_id })),
  );
  for (const { member, role_id } of given) {
    const data = { user_id: member.user_id, before: { role_id: member.role_id }, after: { role_id }, by };
    emit('member.role_changed', { ...about.member(member), data });
  }
  await applyPermissionLoss(change, { scope: { organization_id }, userIds: given.map(({ member }) => member.user_id), now });
  return undefined;
};
