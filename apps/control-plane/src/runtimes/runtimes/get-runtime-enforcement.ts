import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readEnforcement } from '@svc/operations/runtimes/runtimes/read-enforcement.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { RuntimesDeps } from '../deps.ts';

export const getRuntimeEnforcement: Handler<Endpoints['getRuntimeEnforcement'], RuntimesDeps> = (call) => {
  const { limit = LIMITS.pages.defaultCount } = call.query;
  return readInTenant(call.database, call.scope, async (tx) => {
    const found = await readEnforcement(tx, call.scope.organization_id, call.params.runtimeId, { now: call.now, limit });
    return found ?? call.refuse('NOT_FOUND');
  });
};
