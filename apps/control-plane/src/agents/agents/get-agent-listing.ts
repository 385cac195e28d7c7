import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asAgentListing } from '@svc/operations/agents/agents/as-agent-listing.ts';
import { findAgentListing } from '@svc/postgres/agents/agents/agent-listings.ts';
import { findAgent } from '@svc/postgres/agents/agents/agents.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { AgentsDeps } from '../deps.ts';

export const getAgentListing: Handler<Endpoints['getAgentListing'], AgentsDeps> = (call, { urls }) =>
  readInTenant(call.database, call.scope, async (tx) => {
    const { organization_id } = call.scope;
    const agent = await findAgent(tx, organization_id, call.params.agentId);
    if (!agent) return call.refuse('NOT_FOUND');
    return asAgentListing(agent.id, await findAgentListing(tx, organization_id, agent.id), urls.gateway);
  });
