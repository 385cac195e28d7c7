import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy, EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { lockMcpServer } from '@svc/postgres/peers/mcp/mcp-servers.ts';
import { findMcpTool, lockMcpTool, updateMcpToolRow } from '@svc/postgres/peers/mcp/mcp-tools.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { disableTool } from '../../tools/tools/disable-tool.ts';
import { asMcpTool } from './as-mcp-server.ts';

type DisableRequest = CallContext & {
  readonly body: EndpointBody<Endpoints['disableMcpTool']>;
  readonly serverId: string;
  readonly id: string;
};

/** Disables a tool and its governed tool. */
export const disableMcpTool = async (
  change: Change<EmittedBy<Endpoints['disableMcpTool']>>,
  { scope, actor, now, body, serverId, id }: DisableRequest,
) => {
  const { tx, emit } = change;
  const { organization_id } = scope;
  const server = await lockMcpServer(tx, organization_id, serverId);
  const tool = server && (await lockMcpTool(tx, organization_id, { serverId, id }));
  if (!server || !tool) return buildRefusal('NOT_FOUND');
  if (tool.status === 'DISABLED') {
    const details = { operation: 'disable', from: tool.status, allowed_from: ['DISCOVERED', 'AUTHORIZED', 'CHANGED', 'GONE'] };
    return buildRefusal('INVALID_STATE_TRANSITION', undefined, details);
  }
  if (tool.tool_id !== null) {
    const disabled = await disableTool(change, { scope, actor, now, body, toolId: tool.tool_id });
    // The governed tool may already be disabled by itself.
    if (isRefusal(disabled) && disabled.refused !== 'INVALID_STATE_TRANSITION') return disabled;
  }
  await updateMcpToolRow(tx, organization_id, tool.id, { status: 'DISABLED', disabled_reason: body.reason });
  const names = { name: tool.name, tool_name: tool.tool_name, server: server.name };
  const states = { before: { tool_status: tool.status }, after: { tool_status: 'DISABLED' } };
  emit('mcp.tool_disabled', {
    ...about.mcp_server(server),
    data: { ...names, mcp_tool_id: tool.id, tool_id: tool.tool_id, ...states, reason: body.reason },
  });
  const changed = await findMcpTool(tx, organization_id, { serverId, id });
  return changed ? asMcpTool(changed, server) : buildRefusal('NOT_FOUND');
};
