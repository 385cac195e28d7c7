import type { Change } from '@svc/postgres/change/change.ts';
import { findMember, type SsoMember } from '@svc/postgres/people/sso/identities.ts';
import { giveMappedRoles, type Mapping } from './give-mapped-roles.ts';

type Mapped = Mapping & { readonly member: SsoMember; readonly roleId: string };

/** Gives a member the role that their provider states; returns the updated member. */
export const giveMappedRole = async (
  change: Change<'member.role_changed' | 'approval.cancelled'>,
  { member, roleId, ...mapping }: Mapped,
): Promise<SsoMember> => {
  if (member.role_id === roleId || member.is_owner) return member;
  await giveMappedRoles(change, mapping, new Map([[member.user_id, roleId]]));
  return (await findMember(change.tx, mapping.organization_id, member.user_id)) ?? member;
};
