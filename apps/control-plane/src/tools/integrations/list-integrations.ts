import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asIntegration } from '@svc/operations/tools/integrations/as-integration.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listIntegrations as list } from '@svc/postgres/tools/integrations/integrations.ts';
import type { ToolsDeps } from '../deps.ts';

export const listIntegrations: Handler<Endpoints['listIntegrations'], ToolsDeps> = (call) => {
  const { limit = LIMITS.pages.defaultCount, offset = 0, ...filter } = call.query;
  return readInTenant(call.database, call.scope, async (tx) => {
    const { rows, total } = await list(tx, call.scope.organization_id, filter, { limit, offset });
    return { items: rows.map(asIntegration), total };
  });
};
