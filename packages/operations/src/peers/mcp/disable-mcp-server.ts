import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy, EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { findMcpServer, lockMcpServer, updateMcpServerRow } from '@svc/postgres/peers/mcp/mcp-servers.ts';
import type { CallContext } from '../../people/auth/acting.ts';

type DisableRequest = CallContext & { readonly body: EndpointBody<Endpoints['disableMcpServer']>; readonly serverId: string };

/** Disables every call of the server's tools until a person releases it. */
export const disableMcpServer = async (
  { tx, emit }: Change<EmittedBy<Endpoints['disableMcpServer']>>,
  { scope, now, body, serverId }: DisableRequest,
) => {
  const { organization_id } = scope;
  const server = await lockMcpServer(tx, organization_id, serverId);
  if (!server) return buildRefusal('NOT_FOUND');
  if (server.status === 'DISABLED') {
    const details = { operation: 'disable', from: server.status, allowed_from: ['PENDING', 'ACTIVE', 'QUARANTINED'] };
    return buildRefusal('INVALID_STATE_TRANSITION', undefined, details);
  }
  await updateMcpServerRow(tx, organization_id, server.id, { status: 'DISABLED', status_reason: body.reason, updated_at: now });
  emit('mcp.server_disabled', {
    ...about.mcp_server(server),
    data: { name: server.name, before: { status: server.status }, after: { status: 'DISABLED' }, reason: body.reason },
  });
  return (await findMcpServer(tx, organization_id, server.id)) ?? buildRefusal('NOT_FOUND');
};
