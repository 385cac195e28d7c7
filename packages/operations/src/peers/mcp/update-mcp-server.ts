import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy, EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { findMcpServer, lockMcpServer, type McpServerRow, updateMcpServerRow } from '@svc/postgres/peers/mcp/mcp-servers.ts';
import { endMcpAuthorizations } from '@svc/postgres/peers/mcp/mcp-tools.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { fillSettings } from './as-mcp-server.ts';
import { findServerCredentialRefusal } from './server-credential-refusal.ts';

type Body = EndpointBody<Endpoints['updateMcpServer']>;

const ACCEPTED_BY_PERSON = 'Instructions are accepted by a person, since every model that is connected reads them.';
const MOVED = 'The instructions changed in the meantime. Read the server, and accept the newest ones.';

/** State of a server whose address changed: no listing since. */
const UNLISTED = {
  ...{ accepted_server_pin: null, accepted_instructions: null },
  ...{ listing_checked_at: null, listing_failure: null, listing_failures: 0 },
} as const;

const auditedServer = ({ transport, credential_id, settings, status }: McpServerRow) => ({
  transport,
  credential_id,
  settings: fillSettings(settings),
  status,
});

/** True if the server would become another one, for which no authorization holds. */
const isOtherServer = (server: McpServerRow, { transport, credential_id }: Body): boolean =>
  (transport !== undefined && transport.url !== server.transport.url) ||
  (credential_id !== undefined && credential_id !== server.credential_id);

/**
 * Changes a server. Another address or credential sets it to PENDING, and none of its tools is called until it is listed and a tool is
 * authorized again. A disabled or quarantined server stays so until a person releases it.
 */
export const updateMcpServer = async (
  { tx, emit }: Change<EmittedBy<Endpoints['updateMcpServer']>>,
  { scope, actor, now, body, serverId }: CallContext & { readonly body: Body; readonly serverId: string },
) => {
  const { organization_id } = scope;
  const server = await lockMcpServer(tx, organization_id, serverId);
  if (!server) return buildRefusal('NOT_FOUND');
  const { transport = server.transport, credential_id = server.credential_id, settings = server.settings } = body;
  const reference = { organization_id, environment_id: server.environment_id, slug: server.slug, url: transport.url, credential_id };
  const unusable = body.transport || body.credential_id ? await findServerCredentialRefusal(tx, reference) : undefined;
  if (unusable) return unusable;
  if (body.accept_instructions !== undefined) {
    if (actor.type !== 'USER') return buildRefusal('PERMISSION_DENIED', ACCEPTED_BY_PERSON);
    if (body.accept_instructions !== server.server_pin)
      return buildRefusal('VERSION_CONFLICT', MOVED, { instructions_pin: server.server_pin });
  }
  const isOther = isOtherServer(server, body);
  const status = isOther && server.status === 'ACTIVE' ? 'PENDING' : server.status;
  if (isOther) await endMcpAuthorizations(tx, organization_id, server.id);
  await updateMcpServerRow(tx, organization_id, server.id, {
    transport: JSON.stringify(transport),
    credential_id,
    settings: JSON.stringify(settings),
    status,
    ...(isOther ? { ...UNLISTED, listing_due_at: now } : {}),
    ...(body.accept_instructions === undefined
      ? {}
      : { accepted_server_pin: server.server_pin, accepted_instructions: server.instructions }),
    updated_at: now,
  });
  const changed = await findMcpServer(tx, organization_id, server.id);
  if (!changed) return buildRefusal('NOT_FOUND');
  const accepted = body.accept_instructions === undefined ? {} : { accepted_instructions_pin: body.accept_instructions };
  emit('mcp.server_updated', {
    ...about.mcp_server(server),
    data: { name: server.name, before: auditedServer(server), after: { ...auditedServer(changed), ...accepted } },
  });
  return changed;
};
