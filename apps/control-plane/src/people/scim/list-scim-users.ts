import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { getScimBaseUrl } from '@svc/operations/people/scim/base-url.ts';
import { searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { type DirectoryUser, listDirectoryUsers, type UserWhere, withGroups } from '@svc/postgres/people/scim/users.ts';
import type { PeopleDeps } from '../deps.ts';
import { formatUser } from './resources/format-resources.ts';
import { formatList } from './resources/list-resources.ts';

const INDEXED = {
  username: 'user_name',
  externalid: 'external_id',
  id: 'id',
  groups: 'group',
  'groups.value': 'group',
} as const satisfies Record<string, UserWhere['by']>;

export const listScimUsers: Handler<Endpoints['listScimUsers'], PeopleDeps> = ({ query, scope, database }, deps) => {
  const { organization_id } = scope;
  return formatList<UserWhere['by'], DirectoryUser>(query, {
    indexed: INDEXED,
    memberships: 'groups',
    read: (asked) => searchInTenant(database, scope, (tx) => listDirectoryUsers(tx, organization_id, asked)),
    fill: (users, limit) => searchInTenant(database, scope, (tx) => withGroups(tx, organization_id, users, limit)),
    tell: (user) => formatUser(user, getScimBaseUrl(deps)),
  });
};
