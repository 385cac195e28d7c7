import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findTool } from '@svc/postgres/tools/tools.ts';
import type { ToolsDeps } from '../deps.ts';

export const getTool: Handler<Endpoints['getTool'], ToolsDeps> = async (call) => {
  const tool = await readInTenant(call.database, call.scope, (tx) => findTool(tx, call.scope.organization_id, call.params.toolId));
  return tool ?? call.refuse('NOT_FOUND');
};
