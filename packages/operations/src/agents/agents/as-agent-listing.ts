import type { AgentListing } from '@svc/contract/agents/agents/listings.ts';
import { OAUTH_PATHS } from '@svc/contract/agents/oauth.ts';
import { buildAgentA2aPath } from '@svc/domain/peers/a2a/agent-a2a-path.ts';
import type { AgentListingRow } from '@svc/postgres/agents/agents/agent-listings.ts';

/** Returns the listing of an agent as the API shows it. `gatewayUrl` is the public address of the gateway. */
export const asAgentListing = (agentId: string, row: AgentListingRow | undefined, gatewayUrl: string): AgentListing => {
  const { card = null, published_by = null, published_at = null } = row ?? {};
  return {
    ...{ agent_id: agentId, published: row !== undefined, card },
    card_url: `${gatewayUrl}/gateway/v1/agents/${agentId}/.well-known/agent-card.json`,
    endpoint: gatewayUrl + buildAgentA2aPath(agentId),
    keys_url: gatewayUrl + OAUTH_PATHS.jwks,
    ...{ published_by, published_at },
  };
};
