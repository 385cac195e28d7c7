import { beyondReach, type Standing } from '@svc/domain/people/members/grant.ts';
import type { Role } from '@svc/domain/people/roles/role.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { lockStaff } from '@svc/postgres/people/members/staff.ts';
import { findRole } from '@svc/postgres/people/roles.ts';
import { findMember, type SsoMember, setMemberRole } from '@svc/postgres/people/sso/identities.ts';
import { followRights } from '../members/follow-rights.ts';

type Mapped = {
  readonly organization_id: string;
  readonly member: SsoMember;
  readonly roleId: string;
  /** The connection or directory that says so. */
  readonly by: string;
  /** What whoever stands behind it may do: they neither give nor take what is beyond them. None where a person's own provider says so. */
  readonly within?: Standing;
  readonly now: Date;
};

const isBeyond = (within: Standing, { role_id, permissions, workspace_ids }: SsoMember, to: Role): boolean =>
  [to, { id: role_id, name: role_id, built_in: false, permissions }].some(
    (role) => beyondReach(within, { role, workspace_ids }) !== undefined,
  );

/** Gives a member the role that their provider or directory says. One that is gone or an owner's is given to nobody, and an owner keeps theirs. */
export const giveMappedRole = async (
  change: Change<'member.role_changed' | 'approval.cancelled'>,
  { organization_id, member, roleId, by, within, now }: Mapped,
): Promise<SsoMember> => {
  const { tx, emit } = change;
  if (member.role_id === roleId || member.is_owner) return member;
  await lockStaff(tx, organization_id);
  const [role, current] = [await findRole(tx, organization_id, roleId), await findMember(tx, organization_id, member.user_id)];
  if (!role?.for_keys || !current || current.is_owner || current.role_id === roleId) return current ?? member;
  if (within && isBeyond(within, current, role)) return current;
  await setMemberRole(tx, organization_id, current.id, roleId);
  const data = { user_id: current.user_id, before: { role_id: current.role_id }, after: { role_id: roleId }, by };
  emit('member.role_changed', { ...about.member(current), data });
  await followRights(change, { scope: { organization_id }, userIds: [current.user_id], now });
  return (await findMember(tx, organization_id, current.user_id)) ?? current;
};
