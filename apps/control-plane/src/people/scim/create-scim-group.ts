import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { getScimBaseUrl } from '@svc/operations/people/scim/base-url.ts';
import { changeGroup } from '@svc/operations/people/scim/change-group.ts';
import { findScimFault } from '@svc/operations/people/scim/scim-fault.ts';
import { takeRoles } from '@svc/operations/people/scim/take-roles.ts';
import { listDirectoryGroups } from '@svc/postgres/people/scim/groups.ts';
import { lockDirectoryGroups } from '@svc/postgres/people/scim/lock-groups.ts';
import type { PeopleDeps } from '../deps.ts';
import { formatGroup, selectAttributes } from './resources/format-resources.ts';
import { readGroup } from './resources/read-group.ts';

export const createScimGroup: Handler<Endpoints['createScimGroup'], PeopleDeps> = async (call, deps) => {
  const said = readGroup(call.body);
  if (isRefusal(said)) return said;
  const { organization_id } = call.scope;
  return call.change(
    async (change) => {
      await lockDirectoryGroups(change.tx, organization_id);
      const { total } = await listDirectoryGroups(change.tx, organization_id, { limit: 0, offset: 0 });
      if (total >= LIMITS.scim.groupsMax) return findScimFault('tooMany', `An organization has at most ${LIMITS.scim.groupsMax} groups.`);
      const take = takeRoles(deps, organization_id);
      const at = { organization_id, id: call.newId('directory_group'), made_by: call.directory.madeBy, take, now: call.now };
      const made = await changeGroup(change, at, undefined, said);
      return isRefusal(made) ? made : selectAttributes(formatGroup(made, getScimBaseUrl(deps)), call.query);
    },
    { scim_groups_name_is_unique: () => call.refuse('ALREADY_EXISTS', 'There is a group of this name.') },
  );
};
