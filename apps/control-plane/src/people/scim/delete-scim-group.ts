import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { directoryStanding } from '@svc/operations/people/scim/directory-standing.ts';
import { giveGroupRoles } from '@svc/operations/people/scim/give-group-roles.ts';
import { takeRoles } from '@svc/operations/people/scim/take-roles.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { ALL_MEMBERS, deleteDirectoryGroup, findDirectoryGroup } from '@svc/postgres/people/scim/groups.ts';
import type { PeopleDeps } from '../deps.ts';

export const deleteScimGroup: Handler<Endpoints['deleteScimGroup'], PeopleDeps> = (call, deps) => {
  const { organization_id } = call.scope;
  return call.change(async (change) => {
    const before = await findDirectoryGroup(change.tx, organization_id, call.params.directoryGroupId, ALL_MEMBERS);
    if (!before) return call.refuse('NOT_FOUND');
    await deleteDirectoryGroup(change.tx, organization_id, before.id);
    const data = { change: 'group_removed', group_id: before.id, before: { display_name: before.display_name } };
    change.emit('scim.configuration_updated', { ...about.organization({ id: organization_id }), data });
    const directed = { organization_id, made_by: call.directory.madeBy, now: call.now };
    const by = await directoryStanding(change.tx, directed);
    const ids = before.members.map((member) => member.id);
    const refused = await giveGroupRoles(change, { organization_id, ids, by, take: takeRoles(deps, organization_id), now: call.now });
    return refused ?? null;
  });
};
