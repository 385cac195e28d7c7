import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findRequirement } from '@svc/postgres/risk/trust/trust-requirements.ts';
import type { RiskDeps } from '../deps.ts';

export const getEnvironmentTrust: Handler<Endpoints['getEnvironmentTrust'], RiskDeps> = (call) =>
  readInTenant(call.database, call.scope, async (tx) => {
    const found = await findRequirement(tx, 'environments', call.scope.organization_id, call.params.environmentId);
    return found ? { requires: found.requires_trust } : call.refuse('NOT_FOUND');
  });
