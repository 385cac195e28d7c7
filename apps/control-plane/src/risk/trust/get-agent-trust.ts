import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { describeAgentTrust } from '@svc/operations/risk/trust/describe-agent-trust.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { RiskDeps } from '../deps.ts';

export const getAgentTrust: Handler<Endpoints['getAgentTrust'], RiskDeps> = (call) =>
  readInTenant(call.database, call.scope, (tx) => describeAgentTrust(tx, call.scope.organization_id, call.params.agentId, call.now));
