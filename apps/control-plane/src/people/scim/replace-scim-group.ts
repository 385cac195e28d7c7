import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { getScimBaseUrl } from '@svc/operations/people/scim/base-url.ts';
import { changeGroup } from '@svc/operations/people/scim/change-group.ts';
import { takeRoles } from '@svc/operations/people/scim/take-roles.ts';
import { ALL_MEMBERS, findDirectoryGroup } from '@svc/postgres/people/scim/groups.ts';
import { lockDirectoryGroups } from '@svc/postgres/people/scim/lock-groups.ts';
import type { PeopleDeps } from '../deps.ts';
import { formatGroup, selectAttributes } from './resources/format-resources.ts';
import { readGroup } from './resources/read-group.ts';

export const replaceScimGroup: Handler<Endpoints['replaceScimGroup'], PeopleDeps> = async (call, deps) => {
  const said = readGroup(call.body);
  if (isRefusal(said)) return said;
  const { organization_id } = call.scope;
  const id = call.params.directoryGroupId;
  return call.change(
    async (change) => {
      await lockDirectoryGroups(change.tx, organization_id);
      const before = await findDirectoryGroup(change.tx, organization_id, id, ALL_MEMBERS);
      if (!before) return call.refuse('NOT_FOUND');
      const at = { organization_id, id, made_by: call.directory.madeBy, take: takeRoles(deps, organization_id), now: call.now };
      const after = await changeGroup(change, at, before, said);
      return isRefusal(after) ? after : selectAttributes(formatGroup(after, getScimBaseUrl(deps)), call.query);
    },
    { scim_groups_name_is_unique: () => call.refuse('ALREADY_EXISTS', 'There is another group of this name.') },
  );
};
