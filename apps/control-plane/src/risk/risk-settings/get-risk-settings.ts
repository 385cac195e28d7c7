import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asRiskSettings } from '@svc/operations/risk/risk-settings/as-risk-settings.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findRiskSettings } from '@svc/postgres/risk/risk-settings.ts';
import { findEnvironment } from '@svc/postgres/tenancy/environments.ts';
import type { RiskDeps } from '../deps.ts';

export const getRiskSettings: Handler<Endpoints['getRiskSettings'], RiskDeps> = (call) =>
  readInTenant(call.database, call.scope, async (tx) => {
    const { organization_id } = call.scope;
    const environment = await findEnvironment(tx, organization_id, call.params.environmentId);
    if (!environment) return call.refuse('NOT_FOUND');
    return asRiskSettings(environment, await findRiskSettings(tx, organization_id, environment.id));
  });
