import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { formatListSection } from '@svc/http/lists/list-section.ts';
import { searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listMembers as list } from '@svc/postgres/people/members/members.ts';
import type { PeopleDeps } from '../deps.ts';

export const listMembers: Handler<Endpoints['listMembers'], PeopleDeps> = ({ database, scope, query }) => {
  const { limit = LIMITS.pages.defaultCount, offset = 0 } = query;
  return searchInTenant(database, scope, async (tx) => formatListSection(await list(tx, scope, { limit, offset })));
};
