import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asAgentListing } from '@svc/operations/agents/agents/as-agent-listing.ts';
import { findAgentListing } from '@svc/postgres/agents/agents/agent-listings.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { AgentsDeps } from '../deps.ts';

export const getAgentListing: Handler<Endpoints['getAgentListing'], AgentsDeps> = (call, { urls }) =>
  readInTenant(call.database, call.scope, async (tx) => {
    const listing = await findAgentListing(tx, call.scope.organization_id, call.params.agentId);
    return listing ? asAgentListing(listing, urls.gateway) : call.refuse('NOT_FOUND', 'The card of this agent is not published.');
  });
