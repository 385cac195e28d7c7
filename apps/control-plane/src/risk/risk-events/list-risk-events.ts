import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { formatListSection } from '@svc/http/lists/list-section.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listRiskEvents as read } from '@svc/postgres/risk/risk-events.ts';
import type { RiskDeps } from '../deps.ts';

export const listRiskEvents: Handler<Endpoints['listRiskEvents'], RiskDeps> = (call) => {
  const { limit = LIMITS.pages.defaultCount, offset = 0, ...filter } = call.query;
  return readInTenant(call.database, call.scope, async (tx) =>
    formatListSection(await read(tx, call.scope.organization_id, filter, { limit, offset })),
  );
};
