import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { formatListSection } from '@svc/http/lists/list-section.ts';
import { listDelegations as list } from '@svc/postgres/agents/delegations/delegations.ts';
import { searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { AgentsDeps } from '../deps.ts';

export const listDelegations: Handler<Endpoints['listDelegations'], AgentsDeps> = (call) => {
  const { limit = LIMITS.pages.defaultCount, offset = 0, ...filter } = call.query;
  return searchInTenant(call.database, call.scope, async (tx) =>
    formatListSection(await list(tx, call.scope.organization_id, filter, { limit, offset }, call.now)),
  );
};
