import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy, EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import { pickDeclared } from '@svc/domain/tools/declaration/change-declaration.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { findMcpServer, lockMcpServer, type McpServerRow, updateMcpServerRow } from '@svc/postgres/peers/mcp/mcp-servers.ts';
import { allMcpTools, type McpToolRow, updateMcpToolRow } from '@svc/postgres/peers/mcp/mcp-tools.ts';
import { readStoredTool } from '@svc/postgres/tools/tools.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { formatChange, writeChange } from '../../tools/tools/write-change.ts';
import { readDeclaration } from './governed-declaration.ts';

type ReleaseRequest = CallContext & { readonly body: EndpointBody<Endpoints['releaseMcpServer']>; readonly serverId: string };
type Emitted = EmittedBy<Endpoints['releaseMcpServer']>;

const MOVED = 'The definition of an accepted tool changed in the meantime. Read it again before you release the server.';

/** Puts the changed definition of a tool in force, with the current terms of the governed tool. */
const acceptDefinition = async (change: Change<Emitted>, server: McpServerRow, tool: McpToolRow, request: ReleaseRequest) => {
  const { organization_id } = request.scope;
  const governed = tool.tool_id === null ? undefined : await readStoredTool(change.tx, organization_id, tool.tool_id, { isLocked: true });
  if (!governed) return buildRefusal('NOT_FOUND');
  const { risk_rating, dangerous, required_capability } = governed;
  const terms = { risk_rating, dangerous, required_capability };
  const read = readDeclaration(server, { kind: tool.kind, definition: tool.definition, toolName: governed.name }, terms);
  if (isRefusal(read)) return read;
  const after = { ...pickDeclared(governed), parameters_schema: read.declaration.parameters_schema ?? {} };
  const writing = { tool: governed, after, description: read.declaration.description ?? '' };
  const version = await writeChange(change.tx, writing, { organization_id, by: request.actor.id, now: request.now });
  const data = { name: governed.name, ...formatChange(writing, version), reason: request.body.reason };
  if (version !== governed.declaration_version) change.emit('tool.updated', { ...about.tool(governed), data });
  await updateMcpToolRow(change.tx, organization_id, tool.id, {
    ...{ status: 'AUTHORIZED', authorized_definition: tool.definition, authorized_pin: tool.pin },
    ...{ authorized_by: request.actor.id, authorized_at: request.now },
  });
  return undefined;
};

/** Ends the quarantine or the disabling of a server. A changed tool whose new definition is not accepted is disabled. */
export const releaseMcpServer = async (change: Change<Emitted>, request: ReleaseRequest) => {
  const { tx, emit } = change;
  const { scope, now, body, serverId } = request;
  const { organization_id } = scope;
  const server = await lockMcpServer(tx, organization_id, serverId);
  if (!server) return buildRefusal('NOT_FOUND');
  if (server.status !== 'QUARANTINED' && server.status !== 'DISABLED') {
    const details = { operation: 'release', from: server.status, allowed_from: ['QUARANTINED', 'DISABLED'] };
    return buildRefusal('INVALID_STATE_TRANSITION', undefined, details);
  }
  const tools = await allMcpTools(tx, organization_id, serverId);
  const changed = tools.filter(({ status }) => status === 'CHANGED');
  const accepted = new Map((body.accept ?? []).map(({ tool_id, pin }, at) => [tool_id, { pin, at }]));
  for (const [id, { pin, at }] of accepted) {
    const tool = changed.find((each) => each.id === id);
    const faults = [{ pointer: `/accept/${at}/tool_id`, message: 'must be a tool of this server whose definition changed' }];
    if (tool === undefined) return buildRefusal('VALIDATION_FAILED', 'The body is not valid.', { faults });
    if (tool.pin !== pin) return buildRefusal('VERSION_CONFLICT', MOVED, { tool_id: id, pin: tool.pin });
    if (tool.findings.some(({ stops }) => stops))
      return buildRefusal('UNPROCESSABLE', 'The definition contains what no authorization can accept.', { findings: tool.findings });
  }
  for (const tool of changed) {
    if (!accepted.has(tool.id)) {
      const disabled_reason = 'Its changed definition was not accepted when the server was released.';
      await updateMcpToolRow(tx, organization_id, tool.id, { status: 'DISABLED', disabled_reason });
      continue;
    }
    const refused = await acceptDefinition(change, server, tool, request);
    if (refused) return refused;
  }
  // Null since the address changed, unless a person authorized the tool again.
  const isUsed = accepted.size > 0 || tools.some(({ authorized_at }) => authorized_at !== null);
  const status = isUsed ? 'ACTIVE' : 'PENDING';
  await updateMcpServerRow(tx, organization_id, serverId, { status, status_reason: null, listing_due_at: now, updated_at: now });
  const names = (isAccepted: boolean) => changed.filter(({ id }) => accepted.has(id) === isAccepted).map(({ name }) => name);
  emit('mcp.server_updated', {
    ...about.mcp_server(server),
    severity: 'warning',
    data: {
      name: server.name,
      before: { status: server.status },
      after: { status },
      accepted: names(true),
      disabled: names(false),
      reason: body.reason,
    },
  });
  return (await findMcpServer(tx, organization_id, serverId)) ?? buildRefusal('NOT_FOUND');
};
