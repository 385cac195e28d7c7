import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { ALL_MEMBERS, deleteDirectoryGroup, findDirectoryGroup } from '@svc/postgres/people/scim/groups.ts';
import type { TakeRoles } from '../sso/give-mapped-roles.ts';
import { type Directed, readDirectoryPermissions } from './directory-standing.ts';
import { giveGroupRoles } from './give-group-roles.ts';

type DeleteGroupRequest = Directed & { readonly groupId: string; readonly take: TakeRoles };

/** Deletes a group of the directory and revokes the role that it gave its members. */
export const deleteGroup = async (
  change: Change<'scim.configuration_updated' | 'member.role_changed' | 'approval.cancelled'>,
  { groupId, take, ...directed }: DeleteGroupRequest,
) => {
  const { tx, emit } = change;
  const { organization_id, now } = directed;
  const before = await findDirectoryGroup(tx, organization_id, groupId, ALL_MEMBERS);
  if (!before) return buildRefusal('NOT_FOUND');
  await deleteDirectoryGroup(tx, organization_id, before.id);
  const data = { change: 'group_removed', group_id: before.id, before: { display_name: before.display_name } };
  emit('scim.configuration_updated', { ...about.organization({ id: organization_id }), data });
  const by = await readDirectoryPermissions(tx, directed);
  const ids = before.members.map((member) => member.id);
  return giveGroupRoles(change, { organization_id, ids, by, take, now });
};
