import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy, EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { MCP_SLUG_CHARS_MAX } from '@svc/contract/tables/spellings.ts';
import { createFullRefusal } from '@svc/domain/tenancy/organization/full-refusal.ts';
import { serverSlug } from '@svc/peers/mcp/definitions/tool-names.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import { countMcpServers, findMcpServer, insertMcpServer, listTakenSlugs, takeMcpServerTurn } from '@svc/postgres/peers/mcp/mcp-servers.ts';
import { findEnvironment } from '@svc/postgres/tenancy/environments.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { findArchivedRefusal } from '../../tenancy/environments/archived-refusal.ts';
import { fillSettings } from './as-mcp-server.ts';
import { findServerCredentialRefusal } from './server-credential-refusal.ts';

const { serversMax } = LIMITS.mcpServers;
const FULL = `An environment has at most ${serversMax} MCP servers: remove one first.`;

/** Returns a slug of a name that no other server of the environment has. */
const freeSlug = (name: string, taken: ReadonlySet<string>): string => {
  const slug = serverSlug(name);
  if (!taken.has(slug)) return slug;
  for (let number = 2; ; number += 1) {
    const ending = `-${number}`;
    const candidate = `${slug.slice(0, MCP_SLUG_CHARS_MAX - ending.length)}${ending}`;
    if (!taken.has(candidate)) return candidate;
  }
};

type RegisterRequest = CallContext & { readonly body: EndpointBody<Endpoints['registerMcpServer']> };

/** Registers a server as PENDING. A taken name violates `mcp_servers_name_is_unique`. */
export const registerMcpServer = async (
  { tx, emit }: Change<EmittedBy<Endpoints['registerMcpServer']>>,
  { scope, actor, now, body }: RegisterRequest,
  id: string,
) => {
  const { organization_id } = scope;
  const environment = await findEnvironment(tx, organization_id, body.environment_id);
  if (!environment) return buildRefusal('NOT_FOUND', 'The environment does not exist.');
  const archived = await findArchivedRefusal(tx, organization_id, environment.id);
  if (archived) return archived;
  await takeMcpServerTurn(tx, environment.id);
  const there = await inWholeOrganization(tx, scope, () => countMcpServers(tx, organization_id, environment.id));
  if (there >= serversMax) return createFullRefusal('MCP servers', there + 1, serversMax, FULL);
  const slug = freeSlug(body.name, await listTakenSlugs(tx, organization_id, environment.id));
  const { transport, credential_id = null, capability_prefix = slug, settings = {} } = body;
  const reference = { organization_id, environment_id: environment.id, slug, url: transport.url, credential_id };
  const unusable = await findServerCredentialRefusal(tx, reference);
  if (unusable) return unusable;
  const place = { workspace_id: environment.workspace_id, environment_id: environment.id };
  await insertMcpServer(tx, {
    ...{ organization_id, id, ...place, name: body.name, slug, credential_id, capability_prefix },
    transport: JSON.stringify(transport),
    settings: JSON.stringify(settings),
    // A person starts the first listing; later ones are scheduled.
    listing_due_at: new Date(now.getTime() + LIMITS.mcpServers.listingEveryMs),
    ...{ created_by: actor.id, created_at: now, updated_at: now },
  });
  emit('mcp.server_registered', {
    ...about.mcp_server({ id, ...place }),
    data: {
      after: { name: body.name, slug, transport, credential_id, capability_prefix, settings: fillSettings(settings), status: 'PENDING' },
    },
  });
  return (await findMcpServer(tx, organization_id, id)) ?? buildRefusal('NOT_FOUND');
};
