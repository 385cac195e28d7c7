import type { OperationInput, OperationResult } from '@svc/client/client.ts';
import type { Tool, ToolDeclaration } from '@svc/contract/tools/tools.ts';
import type { ControlPlane } from '../control-plane.ts';

type Environment = OperationResult<'createEnvironment'>;
type Agent = OperationResult<'createAgent'>['data']['agent'];
type Policy = OperationResult<'listPolicies'>[number];

/** Query for the name, which finds it even among hundreds of other resources. */
const called = (name: string) => ({ query: { q: name, limit: 200 } });

/** Creates the resource if it is missing, so that interrupted seeding can be continued at any point; so does each function below. */
export const ensureWorkspace = async (owner: ControlPlane, name: string): Promise<OperationResult<'createWorkspace'>> => {
  const found = await owner.ask('listWorkspaces', {});
  return found.find((each) => each.name === name) ?? owner.ask('createWorkspace', { body: { name } });
};

export const ensureEnvironment = async (owner: ControlPlane, body: OperationInput<'createEnvironment'>['body']): Promise<Environment> => {
  const found = await owner.ask('listEnvironments', {});
  const same = found.find((each) => each.name === body.name && each.workspace_id === body.workspace_id);
  return same ?? owner.ask('createEnvironment', { body });
};

export const ensureAgent = async (
  owner: ControlPlane,
  { id, workspace_id }: Pick<Environment, 'id' | 'workspace_id'>,
  rest: { readonly name: string; readonly capabilities: string[]; readonly public_key: string },
): Promise<Agent> => {
  const { items } = await owner.ask('listAgents', called(rest.name));
  const same = items.find((each) => each.name === rest.name && each.environment_id === id);
  if (same) return same;
  const { data } = await owner.ask('createAgent', { body: { workspace_id, environment_id: id, ...rest } });
  return data.agent;
};

/** Registers the tool and authorizes the agent for it. */
export const ensureTool = async (owner: ControlPlane, declaration: ToolDeclaration, agentId: string): Promise<Tool> => {
  const { items } = await owner.ask('listTools', called(declaration.name));
  const same = items.find((each) => each.name === declaration.name && each.environment_id === declaration.environment_id);
  const tool = same ?? (await owner.ask('createTool', { body: declaration }));
  if (tool.authorized_agent_ids.includes(agentId)) return tool;
  return owner.ask('authorizeAgentForTool', { params: { toolId: tool.id }, body: { agent_id: agentId } });
};

type McpServerChoice = { readonly name: string; readonly url: string; readonly tool: string; readonly agentId: string };

/** Registers and discovers the server, and authorizes one of its tools for the agent. */
export const ensureMcpServer = async (
  owner: ControlPlane,
  { id: environment_id }: Pick<Environment, 'id'>,
  { name, url, tool, agentId }: McpServerChoice,
): Promise<void> => {
  const found = await owner.ask('listMcpServers', { query: { environment_id } });
  const same = found.find((each) => each.name === name);
  const server = same ?? (await owner.ask('registerMcpServer', { body: { name, environment_id, transport: { type: 'HTTP', url } } }));
  const params = { serverId: server.id };
  const { tools } = await owner.ask('discoverMcpServer', { params, body: {} });
  const listed = tools.find((each) => each.name === tool);
  if (listed === undefined || listed.status === 'AUTHORIZED') return;
  const body = { pin: listed.pin, agent_ids: [agentId] };
  await owner.ask('authorizeMcpTool', { params: { ...params, mcpToolId: listed.id }, body });
};

/** A public key whose private half no one has: the demo's connection is only for display and stays PENDING. */
const PARTNER_KEY = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', kid: 'partner-1' } as const;

/** Registers the connection without verifying it. */
export const ensureA2aConnection = async (owner: ControlPlane, { id: environment_id }: Environment, name: string): Promise<void> => {
  const found = await owner.ask('listA2aConnections', { query: { environment_id } });
  if (found.some((each) => each.name === name)) return;
  const card_url = 'https://agent.partner.example/.well-known/agent-card.json';
  await owner.ask('registerA2aConnection', { body: { name, environment_id, card_url, keys: [PARTNER_KEY] } });
};

type VerifiedChoice = {
  readonly name: string;
  readonly card_url: string;
  readonly key: NonNullable<OperationInput<'registerA2aConnection'>['body']>['keys'][number];
  readonly agentId: string;
};

/** Registers the connection, lets the agent use it, and verifies it. */
export const ensureVerifiedConnection = async (
  owner: ControlPlane,
  { id: environment_id }: Environment,
  { name, card_url, key, agentId }: VerifiedChoice,
): Promise<void> => {
  const found = await owner.ask('listA2aConnections', { query: { environment_id } });
  const same = found.find((each) => each.name === name);
  const connection = same ?? (await owner.ask('registerA2aConnection', { body: { name, environment_id, card_url, keys: [key] } }));
  const tool = await owner.ask('getTool', { params: { toolId: connection.tool_id } });
  if (!tool.authorized_agent_ids.includes(agentId))
    await owner.ask('authorizeAgentForTool', { params: { toolId: tool.id }, body: { agent_id: agentId } });
  if (connection.status !== 'PENDING') return;
  await owner.ask('verifyA2aConnection', { params: { a2aConnectionId: connection.id }, body: {} });
};

/** Creates the policy and puts its first version in force. */
export const ensurePolicy = async (owner: ControlPlane, body: OperationInput<'createPolicy'>['body']): Promise<Policy> => {
  const found = await owner.ask('listPolicies', {});
  const policy = found.find(({ name }) => name === body.name) ?? (await owner.ask('createPolicy', { body }));
  const version_id = policy.versions[0]?.version_id;
  if (policy.active_version !== null || version_id === undefined) return policy;
  return owner.ask('activatePolicy', { params: { policyId: policy.id }, body: { version_id, reason: 'Demo data' } });
};

/** The card of the refund agent. */
const PUBLISHED = {
  description: 'Refunds payments of the demo bank.',
  provider: { organization: 'Demo Bank', url: 'https://bank.example' },
  skills: [{ id: 'refund', name: 'Refund a payment', description: 'Refunds a payment of a customer.', tags: ['payments'] }],
};

/** Publishes the card, with an inbound connection of a partner that stays PENDING. */
export const ensureInboundConnection = async (owner: ControlPlane, { id: environment_id }: Environment, agentId: string): Promise<void> => {
  const params = { agentId };
  const listing = await owner.ask('getAgentListing', { params });
  if (!listing.published) await owner.ask('publishAgent', { params, body: PUBLISHED });
  const name = 'Partner to refund-bot';
  const found = await owner.ask('listA2aConnections', { query: { environment_id } });
  if (found.some((each) => each.name === name)) return;
  const card_url = 'https://agent.partner.example/.well-known/agent-card.json';
  const inbound = { direction: 'INBOUND', agent_id: agentId, agent_url: 'https://refund-bot.bank.example/a2a' } as const;
  await owner.ask('registerA2aConnection', { body: { name, environment_id, card_url, keys: [PARTNER_KEY], ...inbound } });
};
