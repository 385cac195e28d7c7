import { A2A_STATUSES, type A2aCard } from '@svc/contract/peers/a2a/a2a-connections.ts';
import type { A2aSnapshot } from '@svc/enforcement/facts/snapshots.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../connection/in-tenant.ts';

type Known = 'connection_id' | 'name' | 'slug' | 'status' | 'status_reason' | 'direction' | 'agent_id' | 'keys' | 'key_series';
type Row = Pick<A2aSnapshot, Known> & {
  readonly agent_url: string | null;
  readonly tool_id: string;
  readonly credential_id: string | null;
  readonly card: A2aCard | null;
};

/** Connections with their credentials, keyed by the id of the governed tool. */
export type A2aTools = ReadonlyMap<string, { readonly snapshot: A2aSnapshot; readonly credential_id: string | null }>;

/** False if the row is not as the service writes it: its tool is then refused as one whose connection was removed. */
const isFit = ({ status, direction, agent_url, card }: Row): boolean =>
  A2A_STATUSES.includes(status) &&
  (direction === 'INBOUND' ? agent_url !== null && URL.canParse(agent_url) : direction === 'OUTBOUND') &&
  (card === null || (typeof card.url === 'string' && URL.canParse(card.url)));

/** Reads the connections of an environment. */
export const readA2aTools = async (
  tx: TenantTransaction,
  { organization_id, environment_id }: { readonly organization_id: string; readonly environment_id: string },
): Promise<A2aTools> => {
  const { rows } = await sql<Row>`
    select tool_id, id as connection_id, name, slug, status, status_reason, direction, agent_id, agent_url, keys,
           key_series, credential_id, card from a2a_connections
     where organization_id = ${organization_id} and environment_id = ${environment_id}`.execute(tx);
  return new Map(
    rows.filter(isFit).map(({ tool_id, credential_id, card, agent_url, ...rest }) => {
      const { url = null, tenant = null, streaming = false, push_notifications = false, description = '' } = card ?? {};
      const target =
        agent_url === null
          ? { url, tenant, streaming, push_notifications }
          : // The card of the published agent is checked before a message is decided.
            { url: agent_url, tenant: null, streaming: true, push_notifications: true };
      return [tool_id, { snapshot: { ...rest, ...target, description }, credential_id }] as const;
    }),
  );
};
