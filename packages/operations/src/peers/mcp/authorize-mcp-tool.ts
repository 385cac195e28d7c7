import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { McpFinding } from '@svc/contract/peers/mcp/mcp-tool-shapes.ts';
import type { EmittedBy, EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { ToolDeclaration } from '@svc/contract/tools/tools.ts';
import { pickDeclared } from '@svc/domain/tools/declaration/change-declaration.ts';
import { findRoomRefusal, measureTool } from '@svc/domain/tools/declaration/environment-capacity.ts';
import { isDamaging } from '@svc/domain/tools/declaration/loosens-declaration.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { lockMcpServer, type McpServerRow, updateMcpServerRow } from '@svc/postgres/peers/mcp/mcp-servers.ts';
import { findMcpTool, findUnlinkedMcpTool, lockMcpTool, type McpToolRow, updateMcpToolRow } from '@svc/postgres/peers/mcp/mcp-tools.ts';
import { measureTools } from '@svc/postgres/tools/measure-tools.ts';
import { readStoredTool } from '@svc/postgres/tools/tools.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { hasFreshStepUp, stepUpRefusal } from '../../people/auth/step-up.ts';
import { findArchivedRefusal } from '../../tenancy/environments/archived-refusal.ts';
import { authorizeAgentForTool } from '../../tools/tools/authorize-agent-for-tool.ts';
import { enableTool } from '../../tools/tools/enable-tool.ts';
import { registerTool } from '../../tools/tools/register-tool.ts';
import { formatChange, writeChange } from '../../tools/tools/write-change.ts';
import { asMcpTool } from './as-mcp-server.ts';
import { findFreeToolName } from './free-tool-name.ts';
import { type ChosenTerms, readDeclaration } from './governed-declaration.ts';

type Body = EndpointBody<Endpoints['authorizeMcpTool']>;
type Emitted = EmittedBy<Endpoints['authorizeMcpTool']>;
type AuthorizeRequest = CallContext & {
  readonly body: Body;
  readonly serverId: string;
  readonly id: string;
  readonly steppedUpUntil: string | null;
  readonly holds: (permission: 'tool:update') => boolean;
};

const MOVED = 'The definition changed in the meantime. Read it, and authorize the newest one.';
const STEP_UP = 'The tool is dangerous or critical: a person re-authenticates to authorize it.';
const BY_PERSON = 'There are findings of severity high or critical in the definition: a person authorizes it.';
const FINDINGS = 'There are findings of severity high or critical in the definition. Review them, and send accept_findings to accept them.';
const STOPPING = 'The definition contains what no authorization can accept.';
const AGENTS = 'To authorize agents for a tool, you need the permission tool:update.';

const isSerious = ({ severity }: McpFinding): boolean => severity === 'high' || severity === 'critical';

/** Returns why the tool cannot be authorized in its state; undefined if it can. */
const stateRefusal = (server: McpServerRow, tool: McpToolRow, { body, actor, holds }: AuthorizeRequest) => {
  const transition = (from: string, allowed_from: readonly string[], message?: string) =>
    buildRefusal('INVALID_STATE_TRANSITION', message, { operation: 'authorize', from, allowed_from });
  if (server.status === 'DISABLED' || server.status === 'QUARANTINED')
    return transition(server.status, ['PENDING', 'ACTIVE'], 'Release the server before you authorize its tools.');
  if (tool.status === 'GONE') return transition(tool.status, ['DISCOVERED', 'AUTHORIZED', 'DISABLED', 'CHANGED']);
  if (body.pin !== tool.pin) return buildRefusal('VERSION_CONFLICT', MOVED, { pin: tool.pin });
  if (tool.findings.some(({ stops }) => stops)) return buildRefusal('UNPROCESSABLE', STOPPING, { findings: tool.findings });
  const isUnaccepted = tool.findings.some(isSerious);
  if (isUnaccepted && actor.type !== 'USER') return buildRefusal('PERMISSION_DENIED', BY_PERSON);
  if (isUnaccepted && body.accept_findings !== true) return buildRefusal('UNPROCESSABLE', FINDINGS, { findings: tool.findings });
  if (body.agent_ids !== undefined && body.agent_ids.length > 0 && !holds('tool:update'))
    return buildRefusal('PERMISSION_DENIED', AGENTS, { permissions: ['tool:update'] });
  return undefined;
};

/** Registers the governed tool with its first declaration. */
const addTool = async (change: Change<Emitted>, server: McpServerRow, declaration: ToolDeclaration, by: CallContext) => {
  const { organization_id, workspace_id, environment_id } = server;
  const full = findRoomRefusal(await measureTools(change.tx, organization_id, environment_id), measureTool(declaration));
  if (full) return full;
  const of = { organization_id, workspace_id, id: newId('tool'), now: by.now, by: by.actor.id };
  return registerTool(change, declaration, of);
};

/** Declares the definition for the governed tool, and enables the tool if it was disabled. */
const changeTool = async (change: Change<Emitted>, toolId: string, declaration: ToolDeclaration, by: CallContext) => {
  const { organization_id } = by.scope;
  const tool = await readStoredTool(change.tx, organization_id, toolId, { isLocked: true });
  if (!tool) return buildRefusal('NOT_FOUND');
  const { required_capability, destination_allowlist = [], risk_rating = tool.risk_rating, dangerous = tool.dangerous } = declaration;
  const declared = { required_capability, destination_allowlist, risk_rating, dangerous };
  const after = { ...pickDeclared(tool), ...declared, parameters_schema: declaration.parameters_schema ?? {} };
  const writing = { tool, after, description: declaration.description ?? '' };
  const version = await writeChange(change.tx, writing, { organization_id, by: by.actor.id, now: by.now });
  const data = { name: tool.name, ...formatChange(writing, version), reason: 'Another definition was authorized.' };
  if (version !== tool.declaration_version) change.emit('tool.updated', { ...about.tool(tool), data });
  if (tool.status === 'ACTIVE') return tool;
  const enabled = await enableTool(change, { ...by, body: { reason: 'The tool was authorized again.' }, toolId });
  return isRefusal(enabled) ? enabled : tool;
};

/** Authorizes agents for the governed tool; those already authorized stay. */
const authorizeAgents = async (change: Change<Emitted>, toolId: string, request: AuthorizeRequest): Promise<Refusal | undefined> => {
  const { scope, actor, now, steppedUpUntil } = request;
  for (const [at, agent_id] of (request.body.agent_ids ?? []).entries()) {
    const refused = await authorizeAgentForTool(change, { scope, actor, now, toolId, steppedUpUntil, body: { agent_id } });
    if (!isRefusal(refused) || refused.refused === 'ALREADY_EXISTS') continue;
    if (refused.refused !== 'NOT_FOUND' && refused.refused !== 'VALIDATION_FAILED') return refused;
    const faults = [{ pointer: `/agent_ids/${at}`, message: 'must be an agent of the environment of the server' }];
    return buildRefusal('VALIDATION_FAILED', 'The body is not valid.', { faults });
  }
  return undefined;
};

/** Returns the terms of the governed tool. Omitted ones stay; those of a new tool come from the annotations. */
const chosenTerms = async (change: Change<Emitted>, tool: McpToolRow, { body, scope }: AuthorizeRequest): Promise<ChosenTerms> => {
  const { risk_rating, dangerous, required_capability } = body;
  const before = tool.tool_id === null ? undefined : await readStoredTool(change.tx, scope.organization_id, tool.tool_id);
  return {
    risk_rating: risk_rating ?? before?.risk_rating,
    dangerous: dangerous ?? before?.dangerous,
    required_capability: required_capability ?? before?.required_capability,
  };
};

/** Puts the reviewed definition of a tool in force. A concurrent use of its name violates `tools_name_is_unique`. */
export const authorizeMcpTool = async (change: Change<Emitted>, request: AuthorizeRequest) => {
  const { tx, emit } = change;
  const { scope, actor, now, serverId, id } = request;
  const { organization_id } = scope;
  const server = await lockMcpServer(tx, organization_id, serverId);
  const tool = server && (await lockMcpTool(tx, organization_id, { serverId, id }));
  if (!server || !tool) return buildRefusal('NOT_FOUND');
  const refused = stateRefusal(server, tool, request) ?? (await findArchivedRefusal(tx, organization_id, server.environment_id));
  if (refused) return refused;
  const toolName = tool.tool_name ?? (await findFreeToolName(tx, server, tool));
  const read = readDeclaration(
    server,
    { kind: tool.kind, definition: tool.definition, toolName },
    await chosenTerms(change, tool, request),
  );
  if (isRefusal(read)) return read;
  const { declaration } = read;
  const { risk_rating = 'LOW', dangerous = false } = declaration;
  if (isDamaging({ risk_rating, dangerous }) && !hasFreshStepUp(request, now)) return stepUpRefusal(request, STEP_UP);
  const toolId = tool.tool_id ?? (await findUnlinkedMcpTool(tx, organization_id, server.environment_id, toolName));
  const governed =
    toolId === null ? await addTool(change, server, declaration, request) : await changeTool(change, toolId, declaration, request);
  if (isRefusal(governed)) return governed;
  await updateMcpToolRow(tx, organization_id, tool.id, {
    ...{ status: 'AUTHORIZED', tool_id: governed.id, disabled_reason: null },
    ...{ authorized_definition: tool.definition, authorized_pin: tool.pin, authorized_by: actor.id, authorized_at: now },
  });
  if (server.status === 'PENDING')
    await updateMcpServerRow(tx, organization_id, server.id, { status: 'ACTIVE', status_reason: null, updated_at: now });
  const names = { name: tool.name, tool_name: governed.name, server: server.name, mcp_tool_id: tool.id, tool_id: governed.id };
  const terms = { risk_rating, dangerous, required_capability: declaration.required_capability };
  const accepted =
    tool.findings.length === 0
      ? {}
      : { accepted_findings: tool.findings.map(({ kind, severity, pointer }) => ({ kind, severity, pointer })) };
  const before = { tool_status: tool.status, pin: tool.authorized_pin };
  emit('mcp.tool_authorized', {
    ...about.mcp_server(server),
    data: { ...names, before, after: { tool_status: 'AUTHORIZED', pin: tool.pin }, ...terms, ...accepted },
  });
  const unauthorized = await authorizeAgents(change, governed.id, request);
  if (unauthorized) return unauthorized as Refusal<'VALIDATION_FAILED'>;
  const changed = await findMcpTool(tx, organization_id, { serverId, id });
  return changed ? asMcpTool(changed, server) : buildRefusal('NOT_FOUND');
};
