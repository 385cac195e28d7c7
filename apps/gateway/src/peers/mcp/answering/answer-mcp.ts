import { isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { AgentSnapshot, EnvironmentSnapshot } from '@svc/enforcement/facts/snapshots.ts';
import { findStop } from '@svc/enforcement/govern/stop-now.ts';
import type { McpAnswer } from '@svc/http/wires/mcp.ts';
import { errorMessage, resultMessage } from '@svc/peers/mcp/front/messages.ts';
import { agreedVersion, isRpcFault, MODERN_VERSIONS, RPC_CODES, type RpcId, readMessage } from '@svc/peers/mcp/front/read-request.ts';
import { refusedMethod } from '@svc/peers/mcp/front/refused-methods.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findMcpServer } from '@svc/postgres/peers/mcp/mcp-servers.ts';
import type { GatewayDeps } from '../../../deps.ts';
import { checkBrowserOrigin } from './browser-refusal.ts';
import type { McpCall } from './call-tool.ts';
import { isCallMethod } from './find-target.ts';
import { describeCapabilities, isListMethod, LIST_TTL_MS, listOffers } from './list-answers.ts';
import { isVisible, listOffered, type McpOffer } from './offered-tools.ts';
import { formatCallFault, type McpRpcRequest, startCall } from './start-call.ts';

type Members = Readonly<Record<string, unknown>>;

const SERVER_INFO = { name: 'agent-governance-gateway', version: '0.2.0' };

const resultAnswer = (id: RpcId, result: Members): McpAnswer => ({ status: 200, message: resultMessage(id, result) });

type Known = { readonly environment: EnvironmentSnapshot; readonly agent: AgentSnapshot; readonly now: Date };

/** Loads the state that the authentication of the agent has just checked. A tool call is decided on the newest state again. */
const load = async (call: McpCall, deps: GatewayDeps): Promise<Known | Refusal> => {
  const { organizationId, environmentId, agentId } = call.agent;
  const { governance, clock } = deps.pipeline;
  const [environment, agent] = [
    await governance.environment(organizationId, environmentId),
    await governance.agent(organizationId, agentId),
  ];
  return environment && agent ? { environment, agent, now: clock() } : call.refuse('NOT_FOUND');
};

/** A server without an authorized tool is in no snapshot. */
const isServer = async (call: McpCall, serverId: string): Promise<boolean> => {
  const { organizationId, environmentId } = call.agent;
  const server = await readInTenant(call.database, { organization_id: organizationId }, (tx) =>
    findMcpServer(tx, organizationId, serverId),
  );
  return server?.environment_id === environmentId;
};

/** Returns the accepted instructions of the only server behind an endpoint, if there are any. */
const readInstructions = (offered: readonly McpOffer[], serverId: string | null): Members => {
  const text = serverId === null ? null : (offered[0]?.tool.mcp.instructions ?? null);
  return text === null ? {} : { instructions: text };
};

const answerRequest = async (
  call: McpCall,
  deps: GatewayDeps,
  request: McpRpcRequest,
  serverId: string | null,
): Promise<McpAnswer | Refusal> => {
  const { method, id, isModern } = request;
  if (!isModern && method === 'ping') return resultAnswer(id, {});
  const known = await load(call, deps);
  if (isRefusal(known)) return known;
  const all = listOffered(known.environment, serverId);
  if (serverId !== null && all.length === 0 && !(await isServer(call, serverId)))
    return call.refuse('NOT_FOUND', 'There is no such MCP server in the environment of this agent.');
  if (isCallMethod(method))
    return startCall(call, deps, request, { method, offered: all, isShown: ({ tool }) => isVisible(known, deps, tool) });
  if (isModern && method === 'server/discover')
    return resultAnswer(id, {
      ...{
        resultType: 'complete',
        supportedVersions: MODERN_VERSIONS,
        capabilities: describeCapabilities(all, request),
        serverInfo: SERVER_INFO,
      },
      ...readInstructions(all, serverId),
      ...{ ttlMs: LIST_TTL_MS, cacheScope: 'private', _meta: { 'io.modelcontextprotocol/serverInfo': SERVER_INFO } },
    });
  if (!isModern && method === 'initialize')
    return resultAnswer(id, {
      protocolVersion: agreedVersion(request.params.protocolVersion),
      ...{ capabilities: describeCapabilities(all, request), serverInfo: SERVER_INFO },
      ...readInstructions(all, serverId),
    });
  if (isListMethod(method)) {
    // A stopped agent or environment has no tools to list, which must not look like a healthy server without any.
    const stop = findStop({ ...known, session: null });
    if (stop)
      return formatCallFault(id, {
        status: 200,
        code: RPC_CODES.refused,
        message: `${stop.code}: ${stop.reason}`,
        data: { code: stop.code },
      });
    return listOffers(
      request,
      all.filter(({ tool }) => isVisible(known, deps, tool)),
      all,
    );
  }
  return formatCallFault(id, { status: isModern ? 404 : 200, code: RPC_CODES.methodNotFound, message: refusedMethod(method) });
};

/** Answers one message of an MCP client, at the endpoint of one server or of all servers of the environment. */
export const answerMcp = async (call: McpCall, deps: GatewayDeps, serverId: string | null): Promise<McpAnswer | Refusal> => {
  const foreign = checkBrowserOrigin(call.header('host'), call.header('origin'), deps.tokenScope.audience);
  if (foreign !== undefined) return { status: 403, message: errorMessage(null, { code: RPC_CODES.refused, message: foreign }) };
  const read = readMessage(call.body, call.header);
  const id = typeof call.body.id === 'string' || typeof call.body.id === 'number' ? call.body.id : null;
  if (isRpcFault(read)) return formatCallFault(id, read);
  if (read.id === undefined) return { status: 202, message: null };
  return answerRequest(call, deps, { ...read, id: read.id }, serverId);
};
