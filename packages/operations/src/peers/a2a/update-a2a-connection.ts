import { isDeepStrictEqual } from 'node:util';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy, EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import {
  type A2aConnectionRow,
  findA2aConnection,
  lockA2aConnection,
  updateA2aConnectionRow,
} from '@svc/postgres/peers/a2a/a2a-connections.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { formatA2aConnectionForAudit } from './as-a2a-connection.ts';
import { findConnectionCredentialRefusal, readConnectionKeys } from './connection-references.ts';

type Body = EndpointBody<Endpoints['updateA2aConnection']>;

/** State of a connection that must be verified again. Its card becomes a former one when another is verified. */
const UNVERIFIED = { proof: null, verified_key: null, verified_at: null, verified_by: null, checks: '[]' } as const;

const OTHER_HOST = 'must be of the same host and port as before: register a connection for another host';
const NO_AGENT = 'is only for INBOUND connections';

const hasMoved = (after: string, before: string): boolean => new URL(after).host !== new URL(before).host;

/** Returns why an address cannot replace the previous one; undefined if it can. */
const addressRefusal = (connection: A2aConnectionRow, { card_url, agent_url }: Body) => {
  if (card_url !== undefined && hasMoved(card_url, connection.card_url)) return refuseBody('/card_url', OTHER_HOST);
  if (agent_url === undefined) return undefined;
  if (connection.agent_url === null) return refuseBody('/agent_url', NO_AGENT);
  return hasMoved(agent_url, connection.agent_url) ? refuseBody('/agent_url', OTHER_HOST) : undefined;
};

/**
 * Changes a connection. Other keys or another card address end its verification, and other keys end the tokens of the remote agent. A
 * blocked connection stays blocked until a person releases it.
 */
export const updateA2aConnection = async (
  { tx, emit }: Change<EmittedBy<Endpoints['updateA2aConnection']>>,
  { scope, now, body, connectionId }: CallContext & { readonly body: Body; readonly connectionId: string },
) => {
  const { organization_id } = scope;
  const before = await lockA2aConnection(tx, organization_id, connectionId);
  if (!before) return buildRefusal('NOT_FOUND');
  const moved = addressRefusal(before, body);
  if (moved) return moved;
  const keys = body.keys === undefined ? before.keys : readConnectionKeys(body.keys);
  if (isRefusal(keys)) return keys;
  const { name = before.name, card_url = before.card_url, credential_id = before.credential_id, agent_url = before.agent_url } = body;
  const reference = { organization_id, environment_id: before.environment_id, tool: before.tool_name, url: agent_url ?? card_url };
  const unusable = body.credential_id ? await findConnectionCredentialRefusal(tx, reference, body.credential_id) : undefined;
  if (unusable) return unusable;
  const hasNewKeys = !isDeepStrictEqual(keys, before.keys);
  const isOther = hasNewKeys || card_url !== before.card_url;
  await updateA2aConnectionRow(tx, organization_id, before.id, {
    ...{ name, card_url, credential_id, agent_url, updated_at: now },
    ...(hasNewKeys ? { keys: JSON.stringify(keys), key_series: before.key_series + 1 } : {}),
    ...(isOther ? { ...UNVERIFIED, ...(before.status === 'BLOCKED' ? {} : { status: 'PENDING', status_reason: null }) } : {}),
  });
  const changed = await findA2aConnection(tx, organization_id, before.id);
  if (!changed) return buildRefusal('NOT_FOUND');
  emit('a2a.connection_updated', {
    ...about.a2a_connection(changed),
    data: {
      name,
      before: { ...formatA2aConnectionForAudit(before), keys: before.keys },
      after: { ...formatA2aConnectionForAudit(changed), keys: changed.keys },
    },
  });
  return changed;
};
