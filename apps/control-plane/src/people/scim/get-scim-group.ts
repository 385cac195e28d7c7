import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { getScimBaseUrl } from '@svc/operations/people/scim/base-url.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { ALL_MEMBERS, findDirectoryGroup } from '@svc/postgres/people/scim/groups.ts';
import type { PeopleDeps } from '../deps.ts';
import { formatGroup, isRequested, selectAttributes } from './resources/format-resources.ts';

export const getScimGroup: Handler<Endpoints['getScimGroup'], PeopleDeps> = async ({ params, query, scope, database, refuse }, deps) => {
  const members = isRequested('members', query) ? ALL_MEMBERS : 'none';
  const group = await readInTenant(database, scope, (tx) =>
    findDirectoryGroup(tx, scope.organization_id, params.directoryGroupId, members),
  );
  return group ? selectAttributes(formatGroup(group, getScimBaseUrl(deps)), query) : refuse('NOT_FOUND');
};
