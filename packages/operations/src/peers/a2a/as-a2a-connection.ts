import type { A2aConnection } from '@svc/contract/peers/a2a/a2a-connections.ts';
import type { A2aConnectionRow } from '@svc/postgres/peers/a2a/a2a-connections.ts';

/** Returns a connection as the API shows it. `gatewayUrl` is the public address of the gateway. */
export const asA2aConnection = (row: A2aConnectionRow, gatewayUrl: string): A2aConnection => {
  const { organization_id: _, former_cards: __, ...shown } = row;
  return { ...shown, endpoint: `${gatewayUrl}/gateway/v1/a2a/${row.id}` };
};

/** Returns what events state of a connection. */
export const auditedConnection = ({ name, slug, card_url, keys, credential_id, status }: A2aConnectionRow) => ({
  ...{ name, slug, card_url, credential_id, status },
  key_ids: keys.map(({ kid }) => kid ?? null),
});
