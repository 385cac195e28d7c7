import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asTrustProvider } from '@svc/operations/risk/trust/as-trust-provider.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findTrustProvider } from '@svc/postgres/risk/trust/trust-providers.ts';
import type { RiskDeps } from '../deps.ts';

export const getTrustProvider: Handler<Endpoints['getTrustProvider'], RiskDeps> = (call) =>
  readInTenant(call.database, call.scope, async (tx) => {
    const provider = await findTrustProvider(tx, call.scope.organization_id, call.params.trustProviderId);
    return provider ? asTrustProvider(provider) : call.refuse('NOT_FOUND');
  });
