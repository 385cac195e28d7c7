import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listTools as list } from '@svc/postgres/tools/tools.ts';
import type { ToolsDeps } from '../deps.ts';

export const listTools: Handler<Endpoints['listTools'], ToolsDeps> = (call) => {
  const { q, limit = LIMITS.pages.defaultCount, offset = 0 } = call.query;
  return searchInTenant(call.database, call.scope, (tx) => list(tx, call.scope.organization_id, { q, limit, offset }));
};
