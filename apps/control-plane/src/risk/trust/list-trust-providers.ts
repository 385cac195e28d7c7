import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { formatListSection } from '@svc/http/lists/list-section.ts';
import { asTrustProvider } from '@svc/operations/risk/trust/as-trust-provider.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listTrustProviders as list } from '@svc/postgres/risk/trust/trust-providers.ts';
import type { RiskDeps } from '../deps.ts';

export const listTrustProviders: Handler<Endpoints['listTrustProviders'], RiskDeps> = (call) => {
  const { limit = LIMITS.pages.defaultCount, offset = 0, status } = call.query;
  return readInTenant(call.database, call.scope, async (tx) => {
    const found = await list(tx, call.scope.organization_id, status, { limit, offset });
    return formatListSection({ ...found, rows: found.rows.map(asTrustProvider) });
  });
};
