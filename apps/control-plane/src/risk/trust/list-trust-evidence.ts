import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { formatListSection } from '@svc/http/lists/list-section.ts';
import { asTrustEvidence } from '@svc/operations/risk/trust/as-trust-evidence.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listTrustEvidence as list } from '@svc/postgres/risk/trust/trust-evidence.ts';
import type { RiskDeps } from '../deps.ts';

export const listTrustEvidence: Handler<Endpoints['listTrustEvidence'], RiskDeps> = (call) => {
  const { limit = LIMITS.pages.defaultCount, offset = 0, ...filter } = call.query;
  return readInTenant(call.database, call.scope, async (tx) => {
    const found = await list(tx, call.scope.organization_id, filter, call.now, { limit, offset });
    return formatListSection({ ...found, rows: found.rows.map((row) => asTrustEvidence(row, call.now)) });
  });
};
