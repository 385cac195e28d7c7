import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { formatListSection } from '@svc/http/lists/list-section.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listPolicyInvariants } from '@svc/postgres/policies/invariants.ts';
import type { PoliciesDeps } from '../deps.ts';

export const listInvariants: Handler<Endpoints['listInvariants'], PoliciesDeps> = (call) => {
  const { limit = LIMITS.pages.defaultCount, offset = 0 } = call.query;
  return readInTenant(call.database, call.scope, async (tx) =>
    formatListSection(await listPolicyInvariants(tx, call.scope.organization_id, { limit, offset })),
  );
};
