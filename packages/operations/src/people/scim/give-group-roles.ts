import type { Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { GrantorRights } from '@svc/domain/people/members/grant.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { lockStaff } from '@svc/postgres/people/members/staff.ts';
import { firstGroupsOfPeople } from '@svc/postgres/people/scim/groups.ts';
import { readScimSettings } from '@svc/postgres/people/scim/settings.ts';
import { giveMappedRoles, type TakeRoles } from '../sso/give-mapped-roles.ts';

type Changing = Change<'member.role_changed' | 'approval.cancelled'>;

type Giving = {
  readonly organization_id: string;
  readonly ids: readonly string[];
  readonly by: GrantorRights;
  readonly take: TakeRoles;
  readonly now: Date;
};

/** Returns the role of groups: that of the first mapping that names one of them. */
export const resolveGroupRole = (
  groups: readonly string[],
  { default_role_id, group_roles }: { default_role_id: string; group_roles: readonly { group: string; role_id: string }[] },
): string => group_roles.find(({ group }) => groups.includes(group))?.role_id ?? default_role_id;

/**
 * Gives people the mapped role of their groups. Owners keep theirs, and so does a person with more than `by` holds; a person who is no
 * member gets none.
 */
export const giveGroupRoles = async (
  change: Changing,
  { organization_id, ids, by, take, now }: Giving,
): Promise<Refusal<'RATE_LIMITED'> | undefined> => {
  const { tx } = change;
  if (ids.length === 0) return undefined;
  await lockStaff(tx, organization_id);
  const { default_role_id, group_roles } = await readScimSettings(tx, organization_id);
  const names = group_roles.map(({ group }) => group);
  const people = await firstGroupsOfPeople(tx, organization_id, ids.slice(0, LIMITS.scim.rolesSetMax), names);
  const roleAt = (place: number | null): string => (place === null ? undefined : group_roles[place - 1]?.role_id) ?? default_role_id;
  const roleIds = new Map(people.map(({ user_id, first }) => [user_id, roleAt(first)]));
  return await giveMappedRoles(change, { organization_id, by: 'scim', within: by, take, now }, roleIds);
};
