import type { AgentListing } from '@svc/contract/agents/agents/listings.ts';
import { OAUTH_PATHS } from '@svc/contract/agents/oauth.ts';
import type { AgentListingRow } from '@svc/postgres/agents/agents/agent-listings.ts';

/** Returns a listing as the API shows it. `gatewayUrl` is the public address of the gateway. */
export const asAgentListing = ({ agent_id, card, published_by, published_at }: AgentListingRow, gatewayUrl: string): AgentListing => {
  const below = `${gatewayUrl}/gateway/v1/agents/${agent_id}`;
  return {
    agent_id,
    card,
    card_url: `${below}/.well-known/agent-card.json`,
    endpoint: `${below}/a2a`,
    keys_url: gatewayUrl + OAUTH_PATHS.jwks,
    published_by,
    published_at,
  };
};
