import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { deleteGroup } from '@svc/operations/people/scim/delete-group.ts';
import { takeRoles } from '@svc/operations/people/scim/take-roles.ts';
import type { PeopleDeps } from '../deps.ts';

export const deleteScimGroup: Handler<Endpoints['deleteScimGroup'], PeopleDeps> = (call, deps) => {
  const { organization_id } = call.scope;
  const directed = { organization_id, made_by: call.directory.madeBy, now: call.now };
  const request = { ...directed, groupId: call.params.directoryGroupId, take: takeRoles(deps, organization_id) };
  return call.change(async (change) => (await deleteGroup(change, request)) ?? null);
};
