import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy, EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { findA2aConnection, lockA2aConnection, updateA2aConnectionRow } from '@svc/postgres/peers/a2a/a2a-connections.ts';
import type { CallContext } from '../../people/auth/acting.ts';

type BlockA2aConnectionRequest = CallContext & {
  readonly body: EndpointBody<Endpoints['blockA2aConnection']>;
  readonly connectionId: string;
};

/** Blocks all messages over an agent-to-agent connection. A trigger increments the epoch of its environment, so that gateways reload it. */
export const blockA2aConnection = async (
  { tx, emit }: Change<EmittedBy<Endpoints['blockA2aConnection']>>,
  { scope, now, body, connectionId }: BlockA2aConnectionRequest,
) => {
  const { organization_id } = scope;
  const connection = await lockA2aConnection(tx, organization_id, connectionId);
  if (!connection) return buildRefusal('NOT_FOUND');
  if (connection.status === 'BLOCKED')
    return buildRefusal('INVALID_STATE_TRANSITION', undefined, {
      operation: 'block',
      from: connection.status,
      allowed_from: ['PENDING', 'VERIFIED', 'STALE'],
    });
  await updateA2aConnectionRow(tx, organization_id, connection.id, { status: 'BLOCKED', status_reason: body.reason, updated_at: now });
  emit('a2a.connection_blocked', {
    ...about.a2a_connection(connection),
    data: { name: connection.name, before: { status: connection.status }, after: { status: 'BLOCKED' }, reason: body.reason },
  });
  return (await findA2aConnection(tx, organization_id, connection.id)) ?? buildRefusal('NOT_FOUND');
};
