import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { findAgent } from '@svc/postgres/agents/agents/agents.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { AgentsDeps } from '../deps.ts';

export const getAgent: Handler<Endpoints['getAgent'], AgentsDeps> = async (call) => {
  const agent = await readInTenant(call.database, call.scope, (tx) => findAgent(tx, call.scope.organization_id, call.params.agentId));
  return agent ?? call.refuse('NOT_FOUND');
};
