import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { getScimBaseUrl } from '@svc/operations/people/scim/base-url.ts';
import { searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { type DirectoryGroup, type GroupWhere, listDirectoryGroups, withMembers } from '@svc/postgres/people/scim/groups.ts';
import type { PeopleDeps } from '../deps.ts';
import { formatGroup } from './resources/format-resources.ts';
import { formatList } from './resources/list-resources.ts';

const INDEXED = {
  displayname: 'display_name',
  externalid: 'external_id',
  id: 'id',
  members: 'member',
  'members.value': 'member',
} as const satisfies Record<string, GroupWhere['by']>;

export const listScimGroups: Handler<Endpoints['listScimGroups'], PeopleDeps> = ({ query, scope, database }, deps) => {
  const { organization_id } = scope;
  return formatList<GroupWhere['by'], DirectoryGroup>(query, {
    indexed: INDEXED,
    memberships: 'members',
    read: (asked) => searchInTenant(database, scope, (tx) => listDirectoryGroups(tx, organization_id, asked)),
    fill: (groups, limit) => searchInTenant(database, scope, (tx) => withMembers(tx, organization_id, groups, limit)),
    tell: (group) => formatGroup(group, getScimBaseUrl(deps)),
  });
};
