import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findRiskEvent } from '@svc/postgres/risk/risk-events.ts';
import type { RiskDeps } from '../deps.ts';

export const getRiskEvent: Handler<Endpoints['getRiskEvent'], RiskDeps> = (call) =>
  readInTenant(
    call.database,
    call.scope,
    async (tx) => (await findRiskEvent(tx, call.scope.organization_id, call.params.riskEventId)) ?? call.refuse('NOT_FOUND'),
  );
