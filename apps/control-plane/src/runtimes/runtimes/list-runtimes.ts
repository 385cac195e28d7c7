import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asRuntime } from '@svc/operations/runtimes/runtimes/as-runtime.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listRuntimes as list } from '@svc/postgres/runtimes/runtimes/runtimes.ts';
import type { RuntimesDeps } from '../deps.ts';

export const listRuntimes: Handler<Endpoints['listRuntimes'], RuntimesDeps> = (call) => {
  const { limit = LIMITS.pages.defaultCount, offset = 0, ...filter } = call.query;
  return readInTenant(call.database, call.scope, async (tx) => {
    const found = await list(tx, call.scope.organization_id, filter, { limit, offset }, call.now);
    return { items: found.rows.map((row) => asRuntime(row, call.now)), total: found.total };
  });
};
