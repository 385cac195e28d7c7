import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { showContext } from '@svc/operations/risk/contexts/show-context.ts';
import { findAgent } from '@svc/postgres/agents/agents/agents.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findContexts } from '@svc/postgres/risk/contexts.ts';
import type { RiskDeps } from '../deps.ts';

export const listFlowContexts: Handler<Endpoints['listFlowContexts'], RiskDeps> = (call) =>
  readInTenant(call.database, call.scope, async (tx) => {
    const { agentId } = call.params;
    if (!(await findAgent(tx, call.scope.organization_id, agentId))) return call.refuse('NOT_FOUND');
    return (await findContexts(tx, call.scope.organization_id, agentId)).map((context) => showContext(agentId, context));
  });
