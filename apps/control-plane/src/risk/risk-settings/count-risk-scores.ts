import type { Endpoints } from '@svc/contract/endpoints.ts';
import { RISK_LIMITS } from '@svc/contract/tables/limits/risk-limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { countRiskScores as count } from '@svc/postgres/risk/count-risk-scores.ts';
import { findEnvironment } from '@svc/postgres/tenancy/environments.ts';
import type { RiskDeps } from '../deps.ts';

export const countRiskScores: Handler<Endpoints['countRiskScores'], RiskDeps> = (call) => {
  const { organization_id } = call.scope;
  const range = { from: new Date(call.now.getTime() - RISK_LIMITS.scoredAfterMs), to: call.now };
  return readInTenant(call.database, call.scope, async (tx) => {
    const environment = await findEnvironment(tx, organization_id, call.params.environmentId);
    return environment ? count(tx, organization_id, environment.id, range) : call.refuse('NOT_FOUND');
  });
};
