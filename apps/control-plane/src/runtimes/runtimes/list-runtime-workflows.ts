import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asWorkflow } from '@svc/operations/runtimes/runtimes/as-workflow.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listRuntimeWorkflows as list } from '@svc/postgres/runtimes/runtimes/runtime-workflows.ts';
import { findRuntime } from '@svc/postgres/runtimes/runtimes/runtimes.ts';
import type { RuntimesDeps } from '../deps.ts';

export const listRuntimeWorkflows: Handler<Endpoints['listRuntimeWorkflows'], RuntimesDeps> = (call) => {
  const { limit = LIMITS.pages.defaultCount, offset = 0, active } = call.query;
  const { organization_id } = call.scope;
  const { runtimeId } = call.params;
  return readInTenant(call.database, call.scope, async (tx) => {
    if (!(await findRuntime(tx, organization_id, runtimeId))) return call.refuse('NOT_FOUND');
    const isActive = active === undefined ? undefined : active === 'true';
    const found = await list(tx, { organization_id, runtime_id: runtimeId }, isActive, { limit, offset });
    return { items: found.rows.map(asWorkflow), total: found.total };
  });
};
