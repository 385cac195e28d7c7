import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/limits.ts';
import type { Handler } from '@svc/http/call.ts';
import { partOf } from '@svc/http/listed-part.ts';
import { listApprovals as readApprovals } from '@svc/postgres/approvals.ts';
import { searchInTenant } from '@svc/postgres/in-tenant.ts';
import type { ControlDeps } from '../deps.ts';

export const listApprovals: Handler<Endpoints['listApprovals'], ControlDeps> = (call) => {
  const { limit = LIMITS.pages.defaultCount, offset = 0, order = 'newest', ...filter } = call.query;
  return searchInTenant(call.database, call.scope, async (tx) =>
    partOf(await readApprovals(tx, call.scope.organization_id, filter, order, { limit, offset })),
  );
};
