import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { type GroupWhere, listDirectoryGroups } from '@svc/postgres/people/scim/groups.ts';
import type { ControlDeps } from '../../deps.ts';
import { scimBase } from './resources/base-url.ts';
import { listOf } from './resources/list-of.ts';
import { toldGroup } from './resources/told-resources.ts';

const INDEXED = { displayName: 'display_name', externalId: 'external_id', id: 'id' } as const satisfies Record<string, GroupWhere['by']>;

export const listScimGroups: Handler<Endpoints['listScimGroups'], ControlDeps> = ({ query, scope, database }, deps) =>
  listOf<GroupWhere['by']>(query, {
    indexed: INDEXED,
    read: async (asked) => {
      const { total, groups } = await searchInTenant(database, scope, (tx) => listDirectoryGroups(tx, scope.organization_id, asked));
      return { total, items: groups.map((group) => toldGroup(group, scimBase(deps))) };
    },
  });
