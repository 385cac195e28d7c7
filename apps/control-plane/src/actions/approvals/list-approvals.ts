import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { partOf } from '@svc/http/lists/listed-part.ts';
import { listApprovals as readApprovals } from '@svc/postgres/actions/approvals/approvals.ts';
import { searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { ActionsDeps } from '../deps.ts';

export const listApprovals: Handler<Endpoints['listApprovals'], ActionsDeps> = (call) => {
  const { limit = LIMITS.pages.defaultCount, offset = 0, order = 'newest', ...filter } = call.query;
  return searchInTenant(call.database, call.scope, async (tx) =>
    partOf(await readApprovals(tx, call.scope.organization_id, filter, order, { limit, offset })),
  );
};
