import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { getScimBaseUrl } from '@svc/operations/people/scim/base-url.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findDirectoryUser } from '@svc/postgres/people/scim/users.ts';
import type { PeopleDeps } from '../deps.ts';
import { formatUser, selectAttributes } from './resources/format-resources.ts';

export const getScimUser: Handler<Endpoints['getScimUser'], PeopleDeps> = async ({ params, query, scope, database, refuse }, deps) => {
  const user = await readInTenant(database, scope, (tx) =>
    findDirectoryUser(tx, scope.organization_id, { by: 'id', value: params.directoryUserId }),
  );
  return user ? selectAttributes(formatUser(user, getScimBaseUrl(deps)), query) : refuse('NOT_FOUND');
};
