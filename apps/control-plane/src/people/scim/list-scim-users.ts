import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listDirectoryUsers, type UserWhere } from '@svc/postgres/people/scim/users.ts';
import type { ControlDeps } from '../../deps.ts';
import { scimBase } from './resources/base-url.ts';
import { listOf } from './resources/list-of.ts';
import { toldUser } from './resources/told-resources.ts';

const INDEXED = { userName: 'user_name', externalId: 'external_id', id: 'id' } as const satisfies Record<string, UserWhere['by']>;

export const listScimUsers: Handler<Endpoints['listScimUsers'], ControlDeps> = ({ query, scope, database }, deps) =>
  listOf<UserWhere['by']>(query, {
    indexed: INDEXED,
    read: async (asked) => {
      const { total, users } = await searchInTenant(database, scope, (tx) => listDirectoryUsers(tx, scope.organization_id, asked));
      return { total, items: users.map((user) => toldUser(user, scimBase(deps))) };
    },
  });
