import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findToolRoutes } from '@svc/postgres/tools/tool-routes.ts';
import type { ToolsDeps } from '../deps.ts';

export const getToolRoutes: Handler<Endpoints['getToolRoutes'], ToolsDeps> = async (call) => {
  const found = await readInTenant(call.database, call.scope, (tx) => findToolRoutes(tx, call.scope.organization_id, call.params.toolId));
  return found ? { routes: found.routes } : call.refuse('NOT_FOUND');
};
