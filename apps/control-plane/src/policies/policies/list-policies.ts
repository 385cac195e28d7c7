import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { formatListSection } from '@svc/http/lists/list-section.ts';
import { searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listPolicies as readPolicies } from '@svc/postgres/policies/policies/policies.ts';
import type { PoliciesDeps } from '../deps.ts';

export const listPolicies: Handler<Endpoints['listPolicies'], PoliciesDeps> = (call) => {
  const { limit = LIMITS.pages.defaultCount, offset = 0 } = call.query;
  return searchInTenant(call.database, call.scope, async (tx) =>
    formatListSection(await readPolicies(tx, call.scope.organization_id, { limit, offset })),
  );
};
