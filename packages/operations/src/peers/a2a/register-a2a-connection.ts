import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { A2aDirection } from '@svc/contract/peers/a2a/a2a-connections.ts';
import type { EmittedBy, EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal, type Refusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { ToolDeclaration } from '@svc/contract/tools/tools.ts';
import { refuseFinalStatus } from '@svc/domain/agents/agents/final-status.ts';
import { PUSH_METHODS } from '@svc/domain/peers/a2a/push-notifications.ts';
import { createFullRefusal } from '@svc/domain/tenancy/organization/full-refusal.ts';
import { findRoomRefusal, measureTool } from '@svc/domain/tools/declaration/environment-capacity.ts';
import { parseDestination } from '@svc/domain/tools/destinations/parse-destination.ts';
import { serverSlug } from '@svc/peers/mcp/definitions/tool-names.ts';
import { findAgent } from '@svc/postgres/agents/agents/agents.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import {
  countA2aConnections,
  findA2aConnection,
  insertA2aConnection,
  listTakenA2aSlugs,
  takeA2aConnectionTurn,
} from '@svc/postgres/peers/a2a/a2a-connections.ts';
import { findEnvironment } from '@svc/postgres/tenancy/environments.ts';
import { measureTools } from '@svc/postgres/tools/measure-tools.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { findArchivedRefusal } from '../../tenancy/environments/archived-refusal.ts';
import { registerTool } from '../../tools/tools/register-tool.ts';
import { formatA2aConnectionForAudit } from './as-a2a-connection.ts';
import { findConnectionCredentialRefusal, readConnectionKeys } from './connection-references.ts';

type Body = EndpointBody<Endpoints['registerA2aConnection']>;

const { connectionsMax } = LIMITS.a2a;
const FULL = `An environment has at most ${connectionsMax} A2A connections.`;

const METHODS = [
  'SendMessage',
  'SendStreamingMessage',
  'GetTask',
  'ListTasks',
  'CancelTask',
  'SubscribeToTask',
  ...Object.values(PUSH_METHODS),
];

/** Parameters of the governed tool: a method of Agent2Agent with its members. Rules read `parameters.message`. */
const PARAMETERS = {
  type: 'object',
  properties: {
    method: { type: 'string', enum: METHODS },
    message: { type: 'object', description: 'The message, for the methods that send one.' },
    configuration: { type: 'object' },
    metadata: { type: 'object' },
    task_id: { type: 'string', minLength: 1, maxLength: 200, description: 'The task, for all other methods.' },
    context_id: { type: 'string', maxLength: 200, description: 'Lists the tasks of one context.' },
    status: { type: 'string', maxLength: 60, description: 'Lists the tasks in one state.' },
    page_size: { type: 'integer', minimum: 1, maximum: 100 },
    page_token: { type: 'string', maxLength: 400 },
    push_config: { type: 'object', description: 'The requested push notifications.' },
    push_config_id: { type: 'string', maxLength: 200 },
    history_length: { type: 'integer', minimum: 0, maximum: 1000 },
  },
  required: ['method'],
  additionalProperties: false,
};

const freeSlug = (name: string, taken: ReadonlySet<string>): string => {
  const slug = serverSlug(name);
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? slug : `${slug}-${number}`;
    if (!taken.has(candidate)) return candidate;
  }
};

const getDeclaration = (body: Body, slug: string, destination: string): ToolDeclaration => ({
  name: `a2a.${slug}`,
  environment_id: body.environment_id,
  kind: 'A2A',
  required_capability: `a2a.${slug}`,
  description: body.direction === 'INBOUND' ? `Messages of the remote agent ${body.name}.` : `Messages to the remote agent ${body.name}.`,
  destination_allowlist: [destination],
  risk_rating: 'MEDIUM',
  dangerous: false,
  parameters_schema: PARAMETERS,
});

type Inbound = { readonly direction: A2aDirection; readonly agent_id: string | null; readonly agent_url: string | null };

/** Reads the direction, and checks that an inbound connection names an agent of the environment. */
const readDirection = async (
  tx: TenantTransaction,
  organizationId: string,
  { direction = 'OUTBOUND', agent_id = null, agent_url = null, environment_id }: Body,
): Promise<Inbound | Refusal<'VALIDATION_FAILED'>> => {
  if (direction === 'OUTBOUND') {
    if (agent_id !== null) return refuseBody('/agent_id', 'is only for INBOUND connections');
    return agent_url === null ? { direction, agent_id, agent_url } : refuseBody('/agent_url', 'is only for INBOUND connections');
  }
  if (agent_url === null) return refuseBody('/agent_url', 'is required: messages are delivered there');
  if (agent_id === null) return refuseBody('/agent_id', 'is required: it receives the messages');
  const agent = await findAgent(tx, organizationId, agent_id);
  if (agent?.environment_id !== environment_id) return refuseBody('/agent_id', 'must be an agent of the environment');
  const over = refuseFinalStatus('connect', agent.status);
  return over ? refuseBody('/agent_id', over.message ?? '') : { direction, agent_id, agent_url };
};

/** Registers a connection as PENDING, with its governed tool. A name that is taken violates `a2a_connections_name_is_unique`. */
export const registerA2aConnection = async (
  { tx, emit }: Change<EmittedBy<Endpoints['registerA2aConnection']>>,
  { scope, actor, now, body }: CallContext & { readonly body: Body },
  id: string,
) => {
  const { organization_id } = scope;
  const keys = readConnectionKeys(body.keys);
  if (isRefusal(keys)) return keys;
  const environment = await findEnvironment(tx, organization_id, body.environment_id);
  if (!environment) return buildRefusal('NOT_FOUND', 'The environment does not exist.');
  const archived = await findArchivedRefusal(tx, organization_id, environment.id);
  if (archived) return archived;
  await takeA2aConnectionTurn(tx, environment.id);
  const there = await inWholeOrganization(tx, scope, () => countA2aConnections(tx, organization_id, environment.id));
  if (there >= connectionsMax) return createFullRefusal('A2A connections', there + 1, connectionsMax, FULL);
  const slug = freeSlug(body.name, await listTakenA2aSlugs(tx, organization_id, environment.id));
  const inbound = await readDirection(tx, organization_id, body);
  if (isRefusal(inbound)) return inbound;
  const { credential_id = null, card_url } = body;
  const target = inbound.agent_url ?? card_url;
  const place = { workspace_id: environment.workspace_id, environment_id: environment.id };
  const reference = { organization_id, environment_id: environment.id, tool: `a2a.${slug}`, url: target };
  const unusable = credential_id === null ? undefined : await findConnectionCredentialRefusal(tx, reference, credential_id);
  if (unusable) return unusable;
  const destination = parseDestination(target);
  if ('fault' in destination) return buildRefusal('UNPROCESSABLE', destination.fault);
  const declaration = getDeclaration(body, slug, `${destination.host}:${destination.port}`);
  const full = findRoomRefusal(await measureTools(tx, organization_id, environment.id), measureTool(declaration));
  if (full) return full;
  const registering = { organization_id, workspace_id: environment.workspace_id, id: newId('tool'), now, by: actor.id };
  const tool = await registerTool({ tx, emit }, declaration, registering);
  await insertA2aConnection(tx, {
    ...{ organization_id, id, ...place, name: body.name, slug, card_url, credential_id, tool_id: tool.id },
    ...inbound,
    keys: JSON.stringify(keys),
    ...{ created_by: actor.id, created_at: now, updated_at: now },
  });
  const added = await findA2aConnection(tx, organization_id, id);
  if (!added) return buildRefusal('NOT_FOUND');
  emit('a2a.connection_created', { ...about.a2a_connection(added), data: { after: formatA2aConnectionForAudit(added), tool_id: tool.id } });
  return added;
};
