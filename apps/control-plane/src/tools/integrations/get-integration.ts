import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asIntegration } from '@svc/operations/tools/integrations/as-integration.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findIntegration } from '@svc/postgres/tools/integrations/integrations.ts';
import type { ToolsDeps } from '../deps.ts';

export const getIntegration: Handler<Endpoints['getIntegration'], ToolsDeps> = async (call) => {
  const key = { organization_id: call.scope.organization_id, id: call.params.integrationId };
  const found = await readInTenant(call.database, call.scope, (tx) => findIntegration(tx, key));
  return found ? asIntegration(found) : call.refuse('NOT_FOUND');
};
