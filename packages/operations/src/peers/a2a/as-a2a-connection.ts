import type { A2aConnection } from '@svc/contract/peers/a2a/a2a-connections.ts';
import { buildAgentA2aPath } from '@svc/domain/peers/a2a/agent-a2a-path.ts';
import type { A2aConnectionRow } from '@svc/postgres/peers/a2a/a2a-connections.ts';

/**
 * Returns the address that messages over a connection are sent to. The remote agent of an inbound one finds it in the card of the agent.
 */
const endpointPath = ({ id, agent_id }: A2aConnectionRow): string =>
  agent_id === null ? `/gateway/v1/a2a/${id}` : buildAgentA2aPath(agent_id);

/** Returns a connection as the API shows it. `gatewayUrl` is the public address of the gateway. */
export const asA2aConnection = (row: A2aConnectionRow, gatewayUrl: string): A2aConnection => {
  const { organization_id: _, former_cards: __, key_series: ___, ...shown } = row;
  return { ...shown, endpoint: gatewayUrl + endpointPath(row) };
};

/** Formats a connection for events. */
export const formatA2aConnectionForAudit = ({
  name,
  slug,
  direction,
  agent_id,
  agent_url,
  card_url,
  keys,
  credential_id,
  status,
}: A2aConnectionRow) => ({
  ...{ name, slug, direction, agent_id, agent_url, card_url, credential_id, status },
  key_ids: keys.map(({ kid }) => kid ?? null),
});
